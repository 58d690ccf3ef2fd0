/** Stops what cannot happen: a false condition is a bug of ours, never a caller's mistake. */
export function assert(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new Error(`broken expectation: ${expectation}`);
}

/** The value, which cannot be missing here; `what` names it in the bug report. */
export function must<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is there`);
  return value;
}

/** Ends an exhaustive switch: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
