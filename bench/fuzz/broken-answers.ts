/** Answers of upstreams, broken by a series of mutations. */
import { gzipSync } from 'node:zlib';
import { hostilePictures } from '../../test/hostile/hostile-pictures.ts';
import { upstreamKinds } from '../../test/hostile/upstream-kinds.ts';
import { renderAnswer, type WireAnswer } from '../../test/hostile/wire-answer.ts';
import { type Random, randomFrom } from '../storm/random.ts';
import type { Mutation } from './fuzz-case.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateJson, pick } from './mutate-json.ts';

/** `images` and `stream` by the Images API, `responses` by the Responses API. */
export const answerBases = ['images', 'stream', 'responses'] as const;

type Mutate = (answer: WireAnswer, random: Random) => WireAnswer | Promise<WireAnswer>;

const mebibyte = 1024 ** 2;
const statuses = [200, 201, 204, 206, 301, 304, 400, 401, 402, 403, 404, 429, 500, 502, 503, 529];
const oddHeaders: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-type', 'text/html'],
  ['content-type', ''],
  ['set-cookie', 'a=b'],
  ['location', 'http://127.0.0.1:1/'],
  ['x-request-id', 'b\xe9\xff'],
  ['content-length', '5'],
  ['transfer-encoding', 'gzip'],
  ['connection', 'upgrade'],
  ['trailer', 'x-a'],
  ['x-filling', 'b'.repeat(20_000)],
  ['x-filling', 'b'.repeat(100_000)],
];

const mutators: Readonly<Record<string, Mutate>> = {
  kind: (answer, random) => pick(upstreamKinds, random).plan(answer),
  status: (answer, random) => ({ ...answer, status: pick(statuses, random) }),
  header: (answer, random) => ({
    ...answer,
    headers: [...answer.headers, pick(oddHeaders, random)],
  }),
  json: (answer, random) => ({ ...answer, body: mutateDocuments(answer.body, random) }),
  bytes: (answer, random) => ({ ...answer, body: mutateBytes(answer.body, random) }),
  head: (answer, random) => {
    const wire = renderAnswer(answer);
    const end = wire.indexOf('\r\n\r\n') + 4;
    return {
      ...answer,
      raw: Buffer.concat([mutateBytes(wire.subarray(0, end), random), wire.subarray(end)]),
    };
  },
  framing: (answer, random) => ({
    ...answer,
    framing: pick(['length', 'chunked', 'close'] as const, random),
  }),
  cut: (answer, random) => ({
    ...answer,
    delivery: {
      kind: 'cut',
      share: random.next(),
      how: random.chance(0.5) ? 'end' : 'reset',
    },
  }),
  stall: (answer, random) => ({ ...answer, delivery: { kind: 'stall', share: random.next() } }),
  drip: (answer, random) => ({ ...answer, delivery: { kind: 'drip', bytes: random.whole(1, 50) } }),
  gzip: (answer) => ({
    ...answer,
    headers: [...answer.headers, ['content-encoding', 'gzip']],
    body: gzipSync(answer.body),
  }),
  picture: async (answer, random) => {
    const picture = await pick(hostilePictures, random).make();
    return replacePicture(answer, picture.toString('base64'));
  },
  large: (answer, random) =>
    replacePicture(answer, 'A'.repeat(4 * Math.floor((random.whole(1, 80) * mebibyte) / 4))),
};

export const answerMutations = Object.keys(mutators);

export async function breakAnswer(
  right: WireAnswer,
  mutations: readonly Mutation[],
): Promise<WireAnswer> {
  let answer = right;
  for (const { name, seed } of mutations) {
    // What has become bytes, or is no JSON any more, is left to the other mutations.
    if (answer.raw) break;
    answer = await attempted(answer, () => mutators[name]?.(answer, randomFrom(seed)));
  }
  return answer;
}

async function attempted(
  answer: WireAnswer,
  mutate: () => WireAnswer | Promise<WireAnswer> | undefined,
): Promise<WireAnswer> {
  try {
    return (await mutate()) ?? answer;
  } catch {
    return answer;
  }
}

function replacePicture(answer: WireAnswer, base64: string): WireAnswer {
  const text = answer.body
    .toString('latin1')
    .replace(/"(b64_json|result)":"[^"]*"/g, `"$1":"${base64}"`);
  return { ...answer, body: Buffer.from(text, 'latin1') };
}

/** The document, or one of the events of a stream. */
function mutateDocuments(body: Buffer, random: Random): Buffer {
  const text = body.toString();
  if (!text.includes('data: ')) return Buffer.from(mutateJson(text, random));
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (line.startsWith('data: ') ? [index] : []));
  const chosen = pick(places, random);
  return Buffer.from(
    lines
      .map((line, index) =>
        index === chosen ? `data: ${mutateJson(line.slice('data: '.length), random)}` : line,
      )
      .join('\n'),
  );
}
