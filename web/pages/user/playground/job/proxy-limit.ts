/** Idle limits that proxies come with. */
const commonSeconds = [30, 60, 100, 120] as const;
/** A connection is cut a little after its limit, seldom before it. */
const earlySeconds = 1;
const lateSeconds = 4;

/** The usual limit that a connection was probably cut by; null when it was none of them. */
export function proxyLimitSeconds(afterMs: number): number | null {
  const after = afterMs / 1_000;
  const found = commonSeconds.find(
    (limit) => after >= limit - earlySeconds && after <= limit + lateSeconds,
  );
  return found ?? null;
}
