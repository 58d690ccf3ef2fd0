/** How long clients may take for what is theirs to do, in milliseconds. */
export interface ConnectionTimes {
  headersTimeoutMs: number;
  /** For a body, which the route that reads it watches itself. */
  uploadTimeoutMs: number;
}

/** How often Node looks for requests that take too long, at the most seldom. */
const checkMsMax = 30_000;

/** What Node is told of them. What takes longer is a `clientError`. */
export function nodeTimes({ headersTimeoutMs, uploadTimeoutMs }: ConnectionTimes) {
  return {
    headersTimeout: headersTimeoutMs,
    // For bodies that no route reads; a route that does has refused them before.
    requestTimeout: headersTimeoutMs + uploadTimeoutMs,
    connectionsCheckingInterval: Math.min(checkMsMax, Math.ceil(headersTimeoutMs / 2)),
  };
}
