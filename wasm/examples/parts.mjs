// Looks up a position in a folder of packed values or sectors, and reads only the parts that this needs.
import { fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { Solution } from "nerode";

const [folder, position = "start"] = process.argv.slice(2);
let bytes = 0;
const source = (path) => {
  const file = openSync(path);
  return { length: fstatSync(file).size, read: (at, to) => { bytes += readSync(file, to, 0, to.length, at); } };
};
const names = readdirSync(folder).filter((name) => name !== "lock");
const solution = await Solution.open(Object.fromEntries(names.map((name) => [name, source(`${folder}/${name}`)])));
const { category, dtw } = solution.evaluate(position, { any: true });
console.log(category, dtw ?? "", `${bytes} bytes were read`);
solution.close();
