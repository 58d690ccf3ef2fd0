import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Dicer } from '@fastify/busboy';
import { ByteCollector } from '../../lib/byte-collector.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { type ContentType, readPieces } from './request-body.ts';

/** What the header of a form's part says. */
export interface PartHeader {
  name: string;
  /** As sent; null when the part has none, and so is a text field. */
  fileName: string | null;
  /** In lower case; empty when the part names none. */
  mediaType: string;
}

export interface FormPart extends PartHeader {
  bytes: Buffer;
}

/** What to do with a part: keep up to so many bytes and fail beyond, or let it pass by. */
export type PartRule =
  | { kind: 'keep'; bytesMax: number; tooLarge: () => ServiceError }
  | { kind: 'skip' };

export interface FormOptions {
  bytesMax: number;
  /** Decides by the header, before any of the part's bytes are taken. May throw a ServiceError. */
  ruleFor: (header: PartHeader) => PartRule;
}

const partsMax = 100;
const headerPairsMax = 32;
const nameCharactersMax = 128;
/** RFC 2046 allows 70. */
const boundaryCharactersMax = 200;

/** Reads multipart/form-data: the parts that the rule keeps, whole, in order of arrival. */
export async function readForm(
  message: IncomingMessage,
  { parameters }: ContentType,
  { bytesMax, ruleFor }: FormOptions,
): Promise<FormPart[]> {
  const parser = new FormParser(boundaryOf(parameters), ruleFor);
  await readPieces(message, bytesMax, (piece) => parser.write(piece));
  return await parser.end();
}

function boundaryOf(parameters: string): string {
  const found = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(parameters);
  const boundary = found?.[1] ?? found?.[2] ?? '';
  if (boundary !== '' && boundary.length <= boundaryCharactersMax) return boundary;
  throw invalidRequest(null, 'The Content-Type multipart/form-data needs a boundary.');
}

interface OpenPart {
  /** Null until the part's header is complete, and for ever when it is cut off. */
  header: PartHeader | null;
  /** Null while nothing is to be kept. */
  collector: ByteCollector | null;
  ended: Promise<unknown>;
}

/**
 * Runs Dicer, which reports by events, and turns whatever it reports into a promise that resolves
 * or fails once. Dicer passes silently over headers that it cannot read; here they are errors.
 */
class FormParser {
  readonly #dicer: Dicer;
  readonly #ruleFor: FormOptions['ruleFor'];
  readonly #parts: OpenPart[] = [];
  readonly #finished = Promise.withResolvers<void>();
  #failure: { error: unknown } | null = null;

  constructor(boundary: string, ruleFor: FormOptions['ruleFor']) {
    this.#ruleFor = ruleFor;
    this.#dicer = new Dicer({ boundary, maxHeaderPairs: headerPairsMax });
    this.#dicer.on('part', (part) => this.#openPart(part));
    this.#dicer.on('finish', () => this.#finished.resolve());
    this.#dicer.on('error', () => this.#fail(malformed('It ends before its last boundary.')));
    // Awaited later, or not at all when the body fails first.
    this.#finished.promise.catch(() => {});
  }

  async write(piece: Buffer): Promise<void> {
    this.#throwIfFailed();
    // Behind the last boundary anything may follow; it means nothing.
    if (!this.#dicer.writable) return;
    if (this.#dicer.write(piece)) return;
    await Promise.race([once(this.#dicer, 'drain'), this.#finished.promise]);
  }

  async end(): Promise<FormPart[]> {
    if (this.#dicer.writable) this.#dicer.end();
    await this.#finished.promise;
    await Promise.all(this.#parts.map(({ ended }) => ended));
    // Dicer is done a moment before the last bytes have reached us.
    this.#throwIfFailed();
    return this.#parts.flatMap(({ header, collector }) => {
      if (!header) throw malformed('A part has no complete header.');
      return collector ? [{ ...header, bytes: collector.take() }] : [];
    });
  }

  #openPart(stream: Dicer.PartStream): void {
    const open: OpenPart = { header: null, collector: null, ended: once(stream, 'end') };
    // Rejects when the body is cut off inside the part, which Dicer itself reports too.
    open.ended.catch(() => {});
    stream.on('error', () => {});
    if (this.#parts.push(open) > partsMax) {
      this.#fail(malformed(`It has more than ${partsMax} parts.`));
    }
    let rule: PartRule = { kind: 'skip' };
    stream.on('header', (lines) => {
      if (this.#failure) return;
      try {
        // Dicer's types say `object`; these are the lines of the header by lower-case name.
        open.header = readHeader(lines as Readonly<Record<string, string[]>>);
        rule = this.#ruleFor(open.header);
        if (rule.kind === 'keep') open.collector = new ByteCollector(rule.bytesMax);
      } catch (error) {
        this.#fail(error);
      }
    });
    stream.on('data', (piece: Buffer) => {
      if (this.#failure || rule.kind === 'skip') return;
      if (open.collector?.add(piece) === false) this.#fail(rule.tooLarge());
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#finished.reject(error);
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

function readHeader(lines: Readonly<Record<string, string[]>>): PartHeader {
  const count = Object.values(lines).flat().length;
  if (count >= headerPairsMax) throw malformed('A part has too many header lines.');
  const [disposition = ''] = lines['content-disposition'] ?? [];
  const [mediaType = ''] = lines['content-type'] ?? [];
  const name = dispositionParameter(disposition, 'name');
  if (!/^form-data\s*;/i.test(disposition) || name === null || name === '') {
    throw malformed('A part has no name.');
  }
  if (name.length > nameCharactersMax) throw malformed('A part has a name that is too long.');
  // Whatever the file name is, only that there is one matters, and whether it is empty.
  const hasFileName = /;\s*filename\*?\s*=/i.test(disposition);
  return {
    name,
    fileName: hasFileName ? (dispositionParameter(disposition, 'filename') ?? 'unreadable') : null,
    mediaType: mediaType.replace(/;.*$/s, '').trim().toLowerCase(),
  };
}

/** The value of a parameter, such as `image[]` of `form-data; name="image[]"; filename="a.png"`. */
function dispositionParameter(disposition: string, wanted: string): string | null {
  const parameter = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gy;
  parameter.lastIndex = 'form-data'.length;
  for (const [, name = '', quoted, token = ''] of disposition.matchAll(parameter)) {
    if (name.toLowerCase() === wanted) return quoted ?? token;
  }
  return null;
}

function malformed(what: string): ServiceError {
  return invalidRequest(null, `The multipart/form-data body is malformed. ${what}`);
}
