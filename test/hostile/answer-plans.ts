/** Small changes to an answer that would be right, of which the kinds are made. */
import { gzipSync } from 'node:zlib';
import type { Plan } from './hostile-upstream.ts';
import { renderAnswer, type WireAnswer, type WireDelivery } from './wire-answer.ts';

export const kib = 1024;

export const json = { 'content-type': 'application/json' };

/** An answer of this body, and its status. */
export function said(
  body: string | Buffer,
  status = 200,
  headers: Readonly<Record<string, string>> = json,
) {
  return (right: WireAnswer): WireAnswer => ({
    ...right,
    status,
    headers: Object.entries(headers),
    body: Buffer.from(body),
  });
}

export function delivered(delivery: WireDelivery, framing: WireAnswer['framing'] = 'length'): Plan {
  return (right) => ({ ...right, framing, delivery });
}

export function withHeaders(...headers: (readonly [string, string])[]): Plan {
  return (right) => ({ ...right, headers: [...right.headers, ...headers] });
}

export function withRaw(make: (right: WireAnswer) => string | Buffer): Plan {
  return (right) => {
    const raw = make(right);
    return { ...right, raw: typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw };
  };
}

/** As it would be right, with text before, between or in place of its parts. */
export function patched(pattern: RegExp, replacement: string): Plan {
  return withRaw((right) => renderAnswer(right).toString('latin1').replace(pattern, replacement));
}

export function picture(data: unknown): Plan {
  return said(JSON.stringify({ created: 1, data: [data] }));
}

export function afterHead(right: WireAnswer, body: Buffer): Buffer {
  const head = renderAnswer({ ...right, framing: 'chunked', body: Buffer.alloc(0) });
  return Buffer.concat([head.subarray(0, -5), body]);
}

let folded: Buffer | null = null;

export function gzipBomb(): Buffer {
  folded ??= gzipSync(Buffer.alloc(300 * kib ** 2, 'A'), { level: 1 });
  return folded;
}

export function patchedJson(change: (value: Record<string, unknown>) => unknown): Plan {
  return (right) => {
    // Of the fake itself, whose answer is an object.
    const value = JSON.parse(right.body.toString()) as Record<string, unknown>;
    return { ...right, body: Buffer.from(JSON.stringify(change(value))) };
  };
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function streamed(text: string): Plan {
  return said(text, 200, { 'content-type': 'text/event-stream' });
}

export function mended(change: (text: string) => string): Plan {
  return (right) => ({ ...right, body: Buffer.from(change(right.body.toString())) });
}

/** The first event of a stream alone. */
export function firstEvent(right: WireAnswer): WireAnswer {
  const [first = ''] = right.body.toString().split('\n\n');
  return { ...right, body: Buffer.from(`${first}\n\n`) };
}

export function events(change: (events: string[]) => string[]): Plan {
  return mended((text) => `${change(text.split('\n\n').slice(0, -1)).join('\n\n')}\n\n`);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
