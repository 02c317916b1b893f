// Requests to the service.

const base = "/api/v1/";

/** What the service says; throws an error with its words where it refuses. */
export async function ask(path, parameters = {}) {
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null));
  const text = query.toString();
  let response;
  try {
    response = await fetch(base + path + (text ? "?" + text : ""));
  } catch {
    throw new Error("the service does not answer; is it still running?");
  }
  const body = await response.json();
  if (!response.ok) {
    throw Object.assign(new Error(body.detail ?? "the service refuses"), body);
  }
  return body;
}

/** The address of a drawing of a position. */
export const pictureOf = (id, position) => `${base}${id}/board?${new URLSearchParams({ position })}`;
