// Requests to the service.

const base = "/api/v1/";

/** Sends a request that starts an action. */
export const send = (path, body) => said(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Returns the answer of the service. If the service rejects the request, throws an error with its message. */
export async function ask(path, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));
  const text = query.toString();
  return said(base + path + (text ? "?" + text : ""));
}

/** Returns the evaluations of many positions, including their moves. */
export async function batch(id, positions) {
  if (positions.length === 0) return [];
  const response = await fetch(`${base}${id}?moves=true`, { method: "POST", body: positions.map((position) => position + "\n").join("") });
  const text = await response.text();
  if (!response.ok) throw new Error(JSON.parse(text).detail);
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

async function said(address, how) {
  let response;
  try {
    response = await fetch(address, how);
  } catch {
    throw new Error("the service does not respond; check that it is still running");
  }
  const body = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(body.detail ?? "the service rejected the request"), body);
  }
  return body;
}

/** Returns the address of a drawing of a position. */
export const pictureOf = (id, position) => `${base}${id}/board?${new URLSearchParams({ position })}`;
