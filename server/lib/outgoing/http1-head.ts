/** The head of an HTTP/1.1 answer, read strictly: what two readers could take for two things is refused. */

/** Of a head with everything before it, such as heads of interim answers. */
export const headBytesMax = 32_768;

export interface Http1Head {
  status: number;
  /** By lower-case name; several of one name are joined by commas. */
  headers: Readonly<Record<string, string>>;
  framing: Framing;
  /** Whether the connection lives on behind the answer. */
  keepsAlive: boolean;
  /** For how long the service says that it keeps an idle connection; null when it does not say. */
  keepAliveMs: number | null;
}

/** How the end of a body is told. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  | { kind: 'close' };

/** An answer that is none, or that could be read in two ways. */
export class BrokenHttpError extends Error {
  override readonly name = 'BrokenHttpError';
}

const headEnd = Buffer.from('\r\n\r\n');

/** Where the head that begins at `from` ends, behind its empty line; null when it is not whole. */
export function endOfHead(bytes: Buffer, from: number): number | null {
  const end = bytes.indexOf(headEnd, from);
  return end === -1 ? null : end + headEnd.length;
}

/** @param bytes a whole head with the empty line at its end */
export function readHead(bytes: Buffer, method: string): Http1Head {
  const [statusLine = '', ...lines] = bytes
    .toString('latin1', 0, bytes.length - headEnd.length)
    .split('\r\n');
  const [, minor, digits] =
    /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine) ?? [];
  if (digits === undefined) throw new BrokenHttpError('no status line');
  const fields = lines.map(readField);
  const status = Number(digits);
  const isCurrent = minor === '1';
  const framing = framingOf(fields, { status, method, isCurrent });
  return {
    status,
    headers: joined(fields),
    framing,
    keepsAlive:
      framing.kind !== 'close' && keepsAlive(fields, isCurrent) && !isOverfull(fields, status),
    keepAliveMs: keepAliveMsOf(fields),
  };
}

type Field = readonly [name: string, value: string];

/** No white space before the colon, no value that goes on in another line. */
function readField(line: string): Field {
  const [, name, value] =
    /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new BrokenHttpError('a broken header');
  return [name.toLowerCase(), withoutBlanksAround(value)];
}

/** By hand: a pattern that looks for blanks before an end tries each run of them anew. */
function withoutBlanksAround(text: string): string {
  let [from, end] = [0, text.length];
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(from, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function joined(fields: readonly Field[]): Record<string, string> {
  // Without a prototype, so that no name is there before it comes.
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, latin1] of fields) {
    const value = isAscii(latin1) ? latin1 : Buffer.from(latin1, 'latin1').toString('utf8');
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function isAscii(latin1: string): boolean {
  return !/[\x80-\xff]/.test(latin1);
}

/** RFC 9112, section 6.3, without what it tolerates: a length that is told in two ways is no length. */
function framingOf(
  fields: readonly Field[],
  { status, method, isCurrent }: { status: number; method: string; isCurrent: boolean },
): Framing {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding');
  const [length = null] = lengths;
  if (lengths.length > 1 || (length !== null && !/^\d{1,15}$/.test(length))) {
    throw new BrokenHttpError('a broken length');
  }
  const isCoded = codings.length > 0;
  const isChunked = codings.length === 1 && /^chunked$/i.test(codings[0] ?? '');
  if (isCoded && (!isChunked || length !== null || !isCurrent)) {
    throw new BrokenHttpError('a broken transfer encoding');
  }
  if (method === 'HEAD' || hasNoBody(status)) return { kind: 'none' };
  if (isChunked) return { kind: 'chunked' };
  return length === null ? { kind: 'close' } : { kind: 'length', bytes: Number(length) };
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304;
}

/** An answer without a body that announces one all the same: the service may send it after all. */
function isOverfull(fields: readonly Field[], status: number): boolean {
  if (!hasNoBody(status)) return false;
  const announced = [
    ...valuesOf(fields, 'content-length'),
    ...valuesOf(fields, 'transfer-encoding'),
  ];
  return announced.some((value) => value !== '0');
}

function keepsAlive(fields: readonly Field[], isCurrent: boolean): boolean {
  const options = valuesOf(fields, 'connection').flatMap((value) =>
    value.split(',').map((option) => option.trim().toLowerCase()),
  );
  return !options.includes('close') && (isCurrent || options.includes('keep-alive'));
}

function keepAliveMsOf(fields: readonly Field[]): number | null {
  const [value = ''] = valuesOf(fields, 'keep-alive');
  const [, seconds] = /(?:^|,)\s*timeout\s*=\s*(\d{1,9})/i.exec(value) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

function valuesOf(fields: readonly Field[], wanted: string): string[] {
  return fields.filter(([name]) => name === wanted).map(([, value]) => value);
}
