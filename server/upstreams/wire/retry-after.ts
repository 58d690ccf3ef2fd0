const retryAfterMsMax = 24 * 3_600_000;

/**
 * How long an answer asks us to wait, in milliseconds; null when it does not say. A date is compared
 * with the answer's own, because the two clocks may differ.
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const wait =
    readNumber(headers['retry-after-ms'], 1) ??
    readNumber(headers['retry-after'], 1000) ??
    readDate(headers['retry-after'], headers['date']);
  return wait === null ? null : Math.min(wait, retryAfterMsMax);
}

function readNumber(text: string | undefined, factor: number): number | null {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text.trim())) return null;
  return Math.round(Number(text) * factor);
}

function readDate(until: string | undefined, now: string | undefined): number | null {
  // Date.parse takes almost anything for a date, such as `-1`.
  const waitMs = [until, now].every((date) => date !== undefined && /^[A-Z][a-z]+, /.test(date))
    ? Date.parse(until ?? '') - Date.parse(now ?? '')
    : Number.NaN;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
