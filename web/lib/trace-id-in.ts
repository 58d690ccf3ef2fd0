/** The first trace ID in what somebody pasted, such as a line of a mail; null where there is none. */
export function traceIdIn(text: string): string | null {
  return /tr_[0-9a-hjkmnp-tv-z]{26}/.exec(text.toLowerCase())?.[0] ?? null;
}
