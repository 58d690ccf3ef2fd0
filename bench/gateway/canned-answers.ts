/** What the upstream answers, written once: the Images JSON, and the stream of the Responses API. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../server/lib/assert.ts';
import type { LoadCase } from './cases.ts';
import { type NoisePicture, noisePictureOfBase64 } from './noise-picture.ts';

/** The pictures of an answer, in the order of its making: base64 as ASCII. */
export type CannedPictures = ReadonlyMap<string, readonly Buffer[]>;

const partialCharacters = 400_000;
const partials = 2;

/** Into `canned` of the folder. */
export function writeCannedAnswers(folder: string, cases: readonly LoadCase[]): CannedPictures {
  const target = join(folder, 'canned');
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const finals = new Map<number, NoisePicture>();
  const partial = noisePictureOfBase64(partialCharacters).base64;
  const pictures = new Map<string, readonly Buffer[]>();
  for (const { name, speaks, answerCharacters } of cases) {
    if (!finals.has(answerCharacters)) {
      finals.set(answerCharacters, noisePictureOfBase64(answerCharacters));
    }
    const { base64 } = must(finals.get(answerCharacters), 'the picture');
    if (speaks === 'responses') {
      writeFileSync(join(target, `${name}.sse`), responseStream(partial, base64));
      pictures.set(name, [...Array.from({ length: partials }, () => partial), base64]);
    } else {
      writeFileSync(join(target, `${name}.json`), imagesAnswer(base64));
      pictures.set(name, [base64]);
    }
  }
  return pictures;
}

export function imagesAnswer(base64: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('{"created":1700000000,"data":[{"b64_json":"'),
    base64,
    Buffer.from('"}],"usage":{"input_tokens":50,"output_tokens":4160,"total_tokens":4210}}'),
  ]);
}

/** As the service sends it: the final picture in its item, and again in the whole response. */
function responseStream(partial: Buffer, final: Buffer): Buffer {
  const call = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: '%' };
  const events: [name: string, fields: object, picture: Buffer | null][] = [
    ['response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } }, null],
    ['response.image_generation_call.in_progress', { item_id: 'ig_1', output_index: 0 }, null],
    ...Array.from({ length: partials }, (_none, index): [string, object, Buffer] => [
      'response.image_generation_call.partial_image',
      { item_id: 'ig_1', output_index: 0, partial_image_index: index, partial_image_b64: '%' },
      partial,
    ]),
    ['response.output_item.done', { output_index: 0, item: call }, final],
    [
      'response.completed',
      { response: { id: 'resp_1', status: 'completed', output: [call], usage: tokens } },
      final,
    ],
  ];
  return Buffer.concat(
    events.flatMap(([name, fields, picture]) => {
      const data = JSON.stringify({ type: name, ...fields });
      const [before = '', after = ''] = data.split('%');
      const start = Buffer.from(`event: ${name}\ndata: ${before}`);
      return picture === null
        ? [start, Buffer.from('\n\n')]
        : [start, picture, Buffer.from(`${after}\n\n`)];
    }),
  );
}

const tokens = { input_tokens: 50, output_tokens: 4_160, total_tokens: 4_210 };
