import type { IncomingMessage } from 'node:http';
import type { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { type ContentType, keepBody } from './request-body.ts';
import type { UploadMemory } from './upload-memory.ts';

/** What the header of a form's part says. */
export interface PartHeader {
  name: string;
  /** As sent; null when the part has none, and so is a text field. */
  fileName: string | null;
  /** In lower case; empty when the part names none. */
  mediaType: string;
  /** Whether its content is written in another way, as mail has it: base64, quoted-printable. */
  isRewritten: boolean;
}

export interface FormPart extends PartHeader {
  /** Shared with the whole body. */
  bytes: KeptBytes;
}

/** What to do with a part: keep up to so many bytes and fail beyond, or let it pass by. */
export type PartRule =
  | { kind: 'keep'; bytesMax: number; tooLarge: () => ServiceError }
  | { kind: 'skip' };

export interface FormOptions {
  bytesMax: number;
  /** See `BodyOptions`. */
  memory?: UploadMemory | undefined;
  /** Decides by the header, before any of the part's bytes are taken. May throw a ServiceError. */
  ruleFor: (header: PartHeader) => PartRule;
}

const partsMax = 100;
const headerLinesMax = 32;
const headerBytesMax = 16 * 1024;
const nameCharactersMax = 128;
/** RFC 2046 allows 70. */
const boundaryCharactersMax = 200;
/** Blanks that may stand behind a boundary. */
const paddingBytesMax = 64;

const lineEnd = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');
const dash = 0x2d;

/**
 * Reads multipart/form-data: the parts that the rule keeps, whole, in order of arrival. Why we do it
 * ourselves: docs/decisions/2026-11-22-reading-forms-ourselves.md.
 */
export async function readForm(
  message: IncomingMessage,
  { parameters }: ContentType,
  { bytesMax, memory, ruleFor }: FormOptions,
): Promise<FormPart[]> {
  const scanner = new FormScanner(boundaryOf(parameters), ruleFor);
  const body = await keepBody(message, {
    bytesMax,
    memory,
    onArrived: (arrived) => scanner.scan(arrived),
  });
  return scanner.partsOf(body);
}

function boundaryOf(parameters: string): string {
  const found = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(parameters);
  const boundary = found?.[1] ?? found?.[2] ?? '';
  if (boundary !== '' && boundary.length <= boundaryCharactersMax) return boundary;
  throw invalidRequest(null, 'The Content-Type multipart/form-data needs a boundary.');
}

interface FoundPart {
  header: PartHeader;
  rule: PartRule;
  /** Where its content stands in the body. */
  start: number;
  end: number;
}

/** What the scanner looks for next. */
type Place =
  /** The first boundary: what stands before it means nothing. */
  | 'preamble'
  /** What follows a boundary: a line end, or the dashes of the last one. */
  | 'behind boundary'
  | 'header'
  | 'content'
  /** Behind the last boundary anything may follow; it means nothing. */
  | 'epilogue';

/**
 * Finds the parts of a form while it arrives, jumping from boundary to boundary by native searches. It
 * is shown what has arrived again and again, from the first byte on, and keeps positions only.
 */
class FormScanner {
  readonly #ruleFor: FormOptions['ruleFor'];
  /** A boundary with the line end before it, which belongs to it. */
  readonly #delimiter: Buffer;
  readonly #parts: FoundPart[] = [];
  #place: Place = 'preamble';
  /** Where the place begins. */
  #at = 0;
  /** Up to where it was searched in vain. */
  #searched = 0;

  constructor(boundary: string, ruleFor: FormOptions['ruleFor']) {
    this.#ruleFor = ruleFor;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  scan(bytes: KeptBytes): void {
    while (this.#step(bytes)) {
      // On to the next place.
    }
  }

  partsOf(body: KeptBytes): FormPart[] {
    if (this.#place !== 'epilogue') throw malformed('It ends before its last boundary.');
    return this.#parts
      .filter(({ rule }) => rule.kind === 'keep')
      .map(({ header, start, end }) => ({ ...header, bytes: body.part(start, end) }));
  }

  /** False when more has to arrive first. */
  #step(bytes: KeptBytes): boolean {
    switch (this.#place) {
      case 'preamble':
        return this.#passPreamble(bytes);
      case 'behind boundary':
        return this.#passBoundary(bytes);
      case 'header':
        return this.#readHeader(bytes);
      case 'content':
        return this.#passContent(bytes);
      case 'epilogue':
        return false;
    }
  }

  #passPreamble(bytes: KeptBytes): boolean {
    const opening = this.#delimiter.subarray(lineEnd.length);
    if (bytes.length < opening.length) return false;
    if (bytes.slice(0, opening.length).equals(opening)) {
      return this.#goTo('behind boundary', opening.length);
    }
    const found = this.#find(bytes, this.#delimiter);
    return found !== -1 && this.#goTo('behind boundary', found + this.#delimiter.length);
  }

  #passBoundary(bytes: KeptBytes): boolean {
    let at = this.#at;
    if (bytes.length < at + 2) return false;
    if (bytes.byteAt(at) === dash && bytes.byteAt(at + 1) === dash)
      return this.#goTo('epilogue', at + 2);
    const isBlank = () => bytes.byteAt(at) === 0x20 || bytes.byteAt(at) === 0x09;
    while (at - this.#at <= paddingBytesMax && isBlank()) at++;
    if (at - this.#at > paddingBytesMax) throw malformed('A boundary has a long tail.');
    if (bytes.length < at + lineEnd.length) return false;
    if (!bytes.slice(at, at + lineEnd.length).equals(lineEnd)) {
      throw malformed('A boundary is followed by something else.');
    }
    return this.#goTo('header', at + lineEnd.length);
  }

  #readHeader(bytes: KeptBytes): boolean {
    const found = this.#find(bytes, headerEnd);
    const end = found === -1 ? bytes.length : found;
    if (end - this.#at > headerBytesMax) throw malformed('A part has a header that is too long.');
    if (found === -1) return false;
    const header = readHeader(bytes.slice(this.#at, found).toString('utf8'));
    const start = found + headerEnd.length;
    if (this.#parts.length === partsMax) throw malformed(`It has more than ${partsMax} parts.`);
    this.#parts.push({ header, rule: this.#ruleFor(header), start, end: start });
    return this.#goTo('content', start);
  }

  #passContent(bytes: KeptBytes): boolean {
    const part = this.#parts.at(-1);
    if (!part) return false;
    const { rule, start } = part;
    const found = this.#find(bytes, this.#delimiter);
    // What is searched in vain belongs to the content, whatever comes.
    part.end = found === -1 ? Math.max(start, this.#searched) : found;
    if (rule.kind === 'keep' && part.end - start > rule.bytesMax) throw rule.tooLarge();
    return found !== -1 && this.#goTo('behind boundary', found + this.#delimiter.length);
  }

  /** Searches what has arrived since the last time. */
  #find(bytes: KeptBytes, wanted: Buffer): number {
    const found = bytes.indexOf(wanted, Math.max(this.#at, this.#searched));
    if (found === -1) this.#searched = bytes.length - wanted.length + 1;
    return found;
  }

  #goTo(place: Place, at: number): true {
    this.#place = place;
    this.#at = at;
    this.#searched = at;
    return true;
  }
}

function readHeader(text: string): PartHeader {
  const lines = readLines(text);
  const disposition = lines.get('content-disposition') ?? '';
  const mediaType = lines.get('content-type') ?? '';
  const coding = lines.get('content-transfer-encoding') ?? '';
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
    isRewritten: !/^(?:|7bit|8bit|binary)$/i.test(coding),
  };
}

/** The lines of a part's header by lower-case name, the first of each name. */
function readLines(text: string): ReadonlyMap<string, string> {
  // A line that begins with a blank goes on with the one before.
  const lines = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  if (lines.length > headerLinesMax) throw malformed('A part has too many header lines.');
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = /^([^\s:]+)[ \t]*:([^\r\n\0]*)$/.exec(line) ?? [];
    if (name === undefined) throw malformed('A part has a header that cannot be read.');
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.trim());
  }
  return found;
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
