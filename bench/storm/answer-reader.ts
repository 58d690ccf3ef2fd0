/** Reads image answers as they arrive, and says what of them a client really holds. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inspectImage } from '../../server/lib/pictures/inspect-image.ts';

/** A complete answer. */
export interface HeldAnswer {
  /** SHA-256 of each picture; null for what is not a whole picture. */
  pictures: readonly (string | null)[];
  /** As the answer says: pictures billed. */
  billed: number;
}

const item = z.object({ b64_json: z.string().optional(), url: z.string().optional() });
const usage = z.object({ images: z.int() });
const plainSchema = z.object({ data: z.array(item), usage });
const completedSchema = item.extend({ usage });
const errorSchema = z.object({ error: z.object({ code: z.string() }) });

/** The answer that is not a stream; null when it is not whole. */
export function readPlainAnswer(body: Buffer): HeldAnswer | null {
  const parsed = plainSchema.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { data, usage } = parsed.data;
  return { pictures: data.map(digestOf), billed: usage.images };
}

/** The code of an error answer, or of the error event of a stream. */
export function readErrorCode(body: Buffer): string | null {
  const parsed = errorSchema.safeParse(parseJson(body));
  return parsed.success ? parsed.data.error.code : null;
}

const colon = 0x3a;

/** Server-sent events of one image stream. */
export class StreamReader {
  partials = 0;
  held: HeldAnswer | null = null;
  errorCode: string | null = null;
  #rest = Buffer.alloc(0);
  #waiting: Buffer[] = [];

  /** Whether the final picture has begun to arrive and is not complete. */
  get isInFinal(): boolean {
    return this.held === null && /^event: image_\w+\.completed/.test(this.#head());
  }

  add(chunk: Buffer): void {
    this.#waiting.push(chunk);
    // Large pictures come in hundreds of chunks: join them only when an event may end.
    if (!chunk.includes('\n') && this.#rest.length > 0) return;
    let text = Buffer.concat([this.#rest, ...this.#waiting]);
    this.#waiting = [];
    text = behindComments(text);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      this.#take(text.subarray(0, end));
      text = behindComments(text.subarray(end + 2));
    }
    this.#rest = text;
  }

  #head(): string {
    return this.#rest.toString('latin1', 0, 64);
  }

  #take(event: Buffer): void {
    const lineEnd = event.indexOf('\n');
    const name = event.toString('latin1', 0, Math.max(0, lineEnd)).replace('event: ', '');
    const data = event.subarray(lineEnd + 1 + 'data: '.length);
    if (name.endsWith('.partial_image')) this.partials += 1;
    else if (name === 'error') this.errorCode = readErrorCode(data);
    else if (name.endsWith('.completed')) {
      const parsed = completedSchema.safeParse(parseJson(data));
      if (!parsed.success) return;
      this.held = { pictures: [digestOf(parsed.data)], billed: parsed.data.usage.images };
    }
  }
}

/** What follows the comments that keep a quiet stream open, each of which is one line. */
function behindComments(text: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let at = 0;
  while (text[at] === colon) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) break;
    at = lineEnd + 1;
  }
  return text.subarray(at);
}

function digestOf({ b64_json, url }: z.infer<typeof item>): string | null {
  const text = b64_json ?? url?.replace(/^data:image\/\w+;base64,/, '') ?? '';
  const bytes = Buffer.from(text, 'base64');
  const isWhole = inspectImage({ encoding: 'raw', bytes }) !== null;
  return isWhole ? createHash('sha256').update(bytes).digest('hex') : null;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Cut short.
    return null;
  }
}
