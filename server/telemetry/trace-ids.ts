/** How trace IDs of ours are written in OpenTelemetry, and how theirs are read. */

/** Where a span belongs. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The place of a request's first span: its trace ID is ours, whose 26 digits are 128 bits, and its
 * span ID the last 64 of them. So every part of a request finds its place without having to be told.
 */
export function placeOf(traceId: string): SpanPlace {
  let value = 0n;
  for (const digit of traceId.slice(traceId.indexOf('_') + 1)) {
    value = value * 32n + BigInt(digits.indexOf(digit));
  }
  const hex = value.toString(16).padStart(32, '0').slice(-32);
  return { traceId: hex, spanId: hex.slice(-16) };
}

/** Reads a `traceparent` header (W3C Trace Context); null when it is none. */
export function readTraceparent(header: string | null): SpanPlace | null {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(
    header ?? '',
  );
  const [, version, traceId, spanId, rest] = match ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff') return null;
  // Only versions to come may say more.
  if (version === '00' && rest !== undefined) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}

/** Whether a trace is among the share that is kept; every process says the same of it. */
export function isKept({ traceId }: SpanPlace, percent: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < (percent / 100) * 2 ** 32;
}
