// @ts-check
/** The HTTP API and the events of `finclaw serve`. The token stays in memory. */

/** @typedef {{type: string, seq: number, ts: string, run_id: string, [field: string]: any}} RunEvent */

const LONGEST_PAUSE_MS = 10_000;
/** The code by which the server closes a connection that has nothing more to give. */
const COMPLETE = 1000;
/** The name of this page, for those who see what it answers. */
const CLIENT = `page-${Math.random().toString(36).slice(2, 6)}`;
let token = "";

/** An answer that is an error, in the server's words. */
export class ApiError extends Error {
  /** @param {number} status @param {{code?: string, message?: string, hint?: string | null, [field: string]: any}} body */
  constructor(status, body) {
    super([body.message ?? `HTTP ${status}`, body.hint].filter(Boolean).join(" "));
    this.status = status;
    this.body = body;
  }
}

/** Take the token out of the address, which then no longer has it. @returns {boolean} whether there is one */
export function takeToken() {
  const fragment = location.hash.slice(1);
  if (fragment && !fragment.startsWith("/")) {
    token = fragment;
    history.replaceState(null, "", `${location.pathname}#/ask`);
  }
  return token !== "";
}

/** @param {string} given */
export function useToken(given) {
  token = given.trim().replace(/^.*#/, "");
}

/** @param {string} path @param {Record<string, string>} [query] @returns {Promise<any>} */
export function get(path, query = {}) {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return call("GET", given.size ? `${path}?${given}` : path);
}

/** @param {string} path @param {unknown} body @param {Record<string, string>} [headers] @returns {Promise<any>} */
export function post(path, body, headers = {}) {
  return call("POST", path, JSON.stringify(body), { "Content-Type": "application/json", ...headers });
}

/** Answer a request for an approval. @param {string} id @param {string} decision @param {string} reason */
export function decide(id, decision, reason) {
  return post(`/approvals/${encodeURIComponent(id)}?client=${CLIENT}`, { decision, ...(reason && { reason }) });
}

/** @param {string} method @param {string} path @param {string} [body] @param {Record<string, string>} [headers] */
async function call(method, path, body, headers = {}) {
  const answer = await fetch(`/v1${path}`, { method, body, headers: { Authorization: `Bearer ${token}`, ...headers } });
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(answer.status, value.error ?? {});
  return value;
}

/**
 * Follow a run to its result, from its first event on. A connection that breaks is made again and goes on where it was.
 * @param {string} runId
 * @param {(event: RunEvent) => void} take
 * @param {(connected: boolean) => void} [onState]
 * @returns {() => void} ends it
 */
export function follow(runId, take, onState = () => {}) {
  let after = -1;
  let pauseMs = 250;
  let isOver = false;
  /** @type {WebSocket} */
  let socket;
  const connect = () => {
    if (isOver) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = new URLSearchParams({ events: "all", after: String(after), client: CLIENT });
    const address = `${scheme}://${location.host}/v1/runs/${encodeURIComponent(runId)}/events?${query}`;
    socket = new WebSocket(address, ["finclaw", `token.${token}`]);
    socket.addEventListener("message", ({ data }) => {
      /** @type {RunEvent} */
      const event = JSON.parse(data);
      if (isOver || event.seq <= after) return;
      after = event.seq;
      pauseMs = 250;
      take(event);
      if (event.type === "agent.result") end();
    });
    socket.addEventListener("open", () => onState(true));
    socket.addEventListener("close", ({ code }) => {
      if (isOver || code === COMPLETE) return;
      onState(false);
      setTimeout(connect, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    });
  };
  const end = () => {
    isOver = true;
    socket.close();
  };
  connect();
  return end;
}
