const retryAfterMsMax = 24 * 3_600_000;

/**
 * How long an answer asks us to wait, in milliseconds; null when it does not say. A date is compared
 * with the answer's own, because the two clocks may differ.
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  const until = onlyOf(headers['retry-after']);
  const wait =
    readNumber(onlyOf(headers['retry-after-ms']), 1) ??
    readNumber(until, 1000) ??
    readDate(until, onlyOf(headers['date']));
  return wait === null ? null : Math.min(wait, retryAfterMsMax);
}

/**
 * A service and a gateway before it may each say it, and what has the same name comes joined by commas. Where they do not
 * say the same nobody knows which of them is right, and nothing is left that could be read.
 */
function onlyOf(text: string | undefined): string | undefined {
  const parts = text?.split(',').map((part) => part.trim()) ?? [];
  // A date has a comma of its own.
  const size = [1, 2].find((count) => parts.every((part, index) => part === parts[index % count]));
  return size === undefined || parts.length % size !== 0 ? text : parts.slice(0, size).join(', ');
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

/** How the whole message begins, besides what gateways put before it: a prompt that is quoted says no wait. */
const limitWords =
  /^(?:[\w.]+: )*(?:\w+ - )?(?:rate limit reached|you've exceeded the rate limit|requests to the)\b/i;

const waitWords =
  /\b(?:try again|retry) (?:in|after) (?:(\d{1,3})h)?(?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?) ?(ms|s)(?:econds?)?\b)?/i;

/**
 * What OpenAI and Azure say of their limits in a message, such as `Please try again in 12s`. It is all
 * that is left of a wait in an event of a stream and behind gateways, which drop the headers.
 */
export function waitSaid(message: string | null): number | null {
  if (message === null || !limitWords.test(message)) return null;
  const [, hours, minutes, last, unit] = waitWords.exec(message) ?? [];
  if ([hours, minutes, last].every((part) => part === undefined)) return null;
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60;
  const rest = Number(last ?? 0) * (unit?.toLowerCase() === 'ms' ? 1 : 1000);
  return Math.min(Math.round(seconds * 1000 + rest), retryAfterMsMax);
}
