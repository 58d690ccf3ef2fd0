/** Requests, broken by a series of mutations. */
import { brokenChunks, brokenHeads, doubtfulLengths } from '../../test/hostile/framing-cases.ts';
import { hostilePictures } from '../../test/hostile/hostile-pictures.ts';
import { type Random, randomFrom } from '../storm/random.ts';
import type { Mutation } from './fuzz-case.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateJson, pick } from './mutate-json.ts';

export interface WireRequest {
  method: string;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  framing: 'length' | 'chunked';
  /** How much of it is sent; the client then ends its side. */
  share: number;
  /** Sent as it is, instead of all of the above. */
  raw?: Buffer;
}

interface RequestTools {
  apiKey: string;
  prompt: string;
  picture: Buffer;
}

const boundary = 'fuzz-boundary';
const model = 'gen-image-2.5-flare';

const bases: Readonly<Record<string, (tools: RequestTools) => WireRequest>> = {
  generation: ({ prompt, ...tools }) => jsonRequest('generations', tools, { prompt }),
  stream: ({ prompt, ...tools }) =>
    jsonRequest('generations', tools, { prompt, stream: true, partial_images: 1 }),
  edit: ({ prompt, picture, ...tools }) =>
    jsonRequest('edits', tools, { prompt, images: [{ image_url: dataUrl(picture) }] }),
  form: ({ prompt, picture, apiKey }) => ({
    ...plain('POST', '/v1/images/edits', apiKey),
    headers: [...headersOf(apiKey), ['Content-Type', `multipart/form-data; boundary=${boundary}`]],
    body: formBody({ model, prompt }, picture),
  }),
  models: ({ apiKey }) => plain('GET', '/v1/models', apiKey),
  model: ({ apiKey }) => plain('GET', `/v1/models/${model}`, apiKey),
  console: ({ apiKey }) => ({
    ...jsonRequest('', { apiKey }, { email: 'a@example.com', password: 'wrong' }),
    path: '/api/console/sign-in',
  }),
};

export const requestBases = Object.keys(bases);

type Mutate = (request: WireRequest, random: Random) => WireRequest | Promise<WireRequest>;

const oddHeaders: readonly (readonly [string, string])[] = [
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data'],
  ['Expect', '100-continue'],
  ['Connection', 'close, upgrade'],
  ['Upgrade', 'websocket'],
  ['Authorization', 'Basic YTpi'],
  ['Authorization', 'Bearer sk-tin-wrong'],
  ['Idempotency-Key', 'a\xe9'],
  ['Idempotency-Key', 'b'.repeat(300)],
  ['X-Forwarded-For', '127.0.0.1, , ::1, x'],
  ['X-Stainless-Retry-Count', '99999999999999999999'],
  ['Range', 'bytes=0-1,2-3'],
  ['Transfer-Encoding', 'chunked'],
  ['Content-Length', '3'],
  ['Cookie', 'a=b;'.repeat(500)],
  ['X-Filling', 'b'.repeat(20_000)],
  ['Host', 'other'],
];
const methods = ['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'OPTIONS', 'HEAD', 'QUERY'];
const paths = ['/', '*', '//', '/v1/models/%', '/v1/../api', '/v1/images/generations?%00', '/%2e'];

const mutators: Readonly<Record<string, Mutate>> = {
  json: (request, random) => ({
    ...request,
    body: Buffer.from(mutateJson(request.body.toString(), random)),
  }),
  body: (request, random) => ({ ...request, body: mutateBytes(request.body, random) }),
  bodyAgain: (request, random) => ({ ...request, body: mutateBytes(request.body, random) }),
  part: (request, random) => ({ ...request, body: mutatePart(request.body, random) }),
  header: (request, random) => ({
    ...request,
    headers: [...request.headers, pick(oddHeaders, random)],
  }),
  method: (request, random) => ({ ...request, method: pick(methods, random) }),
  path: (request, random) => ({
    ...request,
    path: random.chance(0.5)
      ? pick(paths, random)
      : mutateBytes(Buffer.from(request.path), random).toString('latin1'),
  }),
  head: (request, random) => {
    const wire = renderRequest(request);
    const end = wire.indexOf('\r\n\r\n') + 4;
    const head = mutateBytes(wire.subarray(0, end), random);
    return { ...request, raw: Buffer.concat([head, wire.subarray(end)]) };
  },
  cut: (request, random) => ({ ...request, share: random.next() }),
  chunks: (request) => ({ ...request, framing: 'chunked' }),
  picture: async (request, random) => {
    const picture = await pick(hostilePictures, random).make();
    return replacePicture(request, picture);
  },
  framing: (request, random) => {
    const [, bytes] = pick([...doubtfulLengths, ...brokenHeads], random);
    return { ...request, raw: Buffer.from(bytes, 'latin1') };
  },
  brokenChunks: (request, random) => {
    const wire = renderRequest({ ...request, framing: 'chunked', body: Buffer.alloc(0) });
    const [, bytes] = pick(brokenChunks, random);
    const head = wire.subarray(0, wire.indexOf('\r\n\r\n') + 4);
    return { ...request, raw: Buffer.concat([head, Buffer.from(bytes, 'latin1')]) };
  },
};

export const requestMutations = Object.keys(mutators);

export async function breakRequest(
  base: string,
  mutations: readonly Mutation[],
  tools: RequestTools,
): Promise<WireRequest> {
  const make = bases[base];
  if (!make) throw new Error(`there is no base ${base}`);
  let request = make(tools);
  for (const { name, seed } of mutations) {
    const mutate = mutators[name];
    if (request.raw || !mutate) break;
    request = await mutate(request, randomFrom(seed));
  }
  return request;
}

/** The request as it stands on the wire, or its beginning. */
export function renderRequest(request: WireRequest): Buffer {
  const { method, path, headers, body, framing, share, raw } = request;
  const isChunked = framing === 'chunked';
  const end = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}${end}\r\n\r\n`, 'latin1');
  const wire = raw ?? Buffer.concat([head, isChunked ? chunksOf(body) : body]);
  return wire.subarray(0, Math.ceil(wire.length * share));
}

function chunksOf(body: Buffer): Buffer {
  const size = Buffer.from(`${body.length.toString(16)}\r\n`);
  const last = Buffer.from('0\r\n\r\n');
  return body.length === 0 ? last : Buffer.concat([size, body, Buffer.from('\r\n'), last]);
}

function jsonRequest(
  operation: string,
  { apiKey }: Pick<RequestTools, 'apiKey'>,
  fields: Readonly<Record<string, unknown>>,
): WireRequest {
  return {
    ...plain('POST', `/v1/images/${operation}`, apiKey),
    headers: [...headersOf(apiKey), ['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify({ model, ...fields })),
  };
}

function plain(method: string, path: string, apiKey: string): WireRequest {
  const body = Buffer.alloc(0);
  return { method, path, headers: headersOf(apiKey), body, framing: 'length', share: 1 };
}

function headersOf(apiKey: string): WireRequest['headers'] {
  return [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${apiKey}`],
  ];
}

function dataUrl(picture: Buffer): string {
  return `data:image/png;base64,${picture.toString('base64')}`;
}

function formBody(fields: Readonly<Record<string, string>>, picture: Buffer): Buffer {
  const texts = Object.entries(fields).map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(texts.join('') + file),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

const pictureSignature = Buffer.from('\x89PNG\r\n', 'latin1');

function replacePicture(request: WireRequest, picture: Buffer): WireRequest {
  const start = request.body.indexOf(pictureSignature);
  if (start === -1) {
    const text = request.body.toString('latin1');
    const given = text.replace(/base64,[^"]*/, `base64,${picture.toString('base64')}`);
    return { ...request, body: Buffer.from(given, 'latin1') };
  }
  const end = request.body.lastIndexOf('\r\n--');
  const parts = [request.body.subarray(0, start), picture, request.body.subarray(end)];
  return { ...request, body: Buffer.concat(parts) };
}

const partChanges: readonly (readonly [RegExp, string])[] = [
  [/name="/, 'name="image['],
  [/name="model"/, 'name="__proto__"'],
  [/name="prompt"/, 'name="model"'],
  [/name="image"/, 'name="mask"'],
  [/name="image"/, 'name="file_id"'],
  [/filename="a.png"/, 'filename="../../\0a\r\nb"'],
  [/filename="a.png"/, "filename*=utf-8''%00"],
  [/form-data;/, 'attachment;'],
  [/\r\n\r\n/, '\r\n'],
  [/--fuzz-boundary--/, '--fuzz-boundary'],
  [/--fuzz-boundary\r\n/, '--fuzz-boundary  \t\r\n'],
  [/\r\n--fuzz-boundary/, '--fuzz-boundary'],
  [/Content-Type: image\/png/, 'Content-Transfer-Encoding: base64'],
  [/Content-Type: image\/png/, 'X-A: b\r\n'.repeat(200)],
  [/Content-Type: image\/png/, `X-A: ${'b'.repeat(100_000)}`],
];

function mutatePart(body: Buffer, random: Random): Buffer {
  const [pattern, replacement] = pick(partChanges, random);
  return Buffer.from(body.toString('latin1').replace(pattern, replacement), 'latin1');
}
