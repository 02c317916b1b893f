// Prints the value of a position and its moves: `node quick.mjs FOLDER [POSITION]`.
import { readdir, readFile } from "node:fs/promises";
import { Solution } from "nerode";

const [folder, position = "start"] = process.argv.slice(2);
const files = {};
for (const name of await readdir(folder)) files[name] = await readFile(`${folder}/${name}`);
const solution = await Solution.open(files);
const { category, dtw, moves } = solution.query(position);
console.log(category, dtw ?? "");
for (const move of moves) console.log(`  ${move.move}: then ${move.category} for the other side`);
solution.close();
