/** The memory of an answer that no picture came of is free at once, not when it is found to be garbage. */
import { describe, expect, test } from 'vitest';
import { OutgoingError } from '../../server/lib/outgoing/guarded-http.ts';
import { readAnswer as readImages } from '../../server/upstreams/openai-images/read-answer.ts';
import { readAnswer as readResponses } from '../../server/upstreams/openai-responses/read-answer.ts';
import { UpstreamError } from '../../server/upstreams/upstream.ts';
import { LentMemory } from '../support/lent-memory.ts';
import { pngOfLength } from '../support/pictures.ts';
import { givenAnswer } from './given-answer.ts';

const pieceCharacters = 20_000;
const picture = pngOfLength(60_000).toString('base64');
/** As long as a picture, and none. */
const letters = 'A'.repeat(picture.length);
const reading = { errors: {}, refusedWhen: [] } as const;
const broken = new OutgoingError('cut', 'the connection broke');

describe('an answer of the Images API', () => {
  test.each<[string, (string | OutgoingError)[]]>([
    ['without a picture', [json(letters)]],
    ['that is no JSON', [json(picture).slice(0, -2)]],
    ['that breaks off', [json(picture).slice(0, -2), broken]],
    ['of blanks that breaks off', [' '.repeat(letters.length), broken]],
    ['whose events have no picture', [partial(letters), completed(letters)]],
    ['whose partial images nobody may see', [partial(`${picture.slice(0, -4)}!!!!`)]],
    ['whose event is no JSON', [completed(picture).replace('{', '{{')]],
    ['whose events break off', [partial(letters), completed(picture).slice(0, -4), broken]],
  ])('%s', async (_what, pieces) => {
    using lent = new LentMemory();
    await expect(allOf(readImages(answerOf(pieces), reading))).rejects.toThrow(UpstreamError);
    expect(lent.times).toBeGreaterThan(0);
    expect(lent.left).toEqual([]);
  });

  test('keeps that of its picture', async () => {
    using lent = new LentMemory();
    const parts = await allOf(
      readImages(answerOf([partial(letters), completed(picture), completed(picture)]), reading),
    );
    expect(parts).toMatchObject([{ source: { image: { ascii: Buffer.from(picture) } } }]);
    expect(lent.left).toHaveLength(1);
  });
});

describe('an answer of the Responses API', () => {
  test.each<[string, (string | OutgoingError)[]]>([
    ['that is of something else', [event({ type: 'keepalive', filling: letters })]],
    ['whose response has no picture', [end(letters)]],
    ['with partial images that nobody asked for', [partialImage(picture), end(null)]],
    ['whose items are of something else', [item({ type: 'message', filling: letters }), end(null)]],
  ])('%s', async (_what, pieces) => {
    using lent = new LentMemory();
    const read = readResponses(answerOf(pieces), { partialImages: 0 });
    await expect(allOf(read)).rejects.toThrow(UpstreamError);
    expect(lent.times).toBeGreaterThan(0);
    expect(lent.left).toEqual([]);
  });
});

async function allOf<T>(parts: AsyncIterable<T>): Promise<T[]> {
  return await Array.fromAsync(parts);
}

function answerOf(whole: readonly (string | OutgoingError)[]) {
  const pieces = whole.flatMap<string | OutgoingError>((text) =>
    typeof text === 'string' ? inPieces(text) : text,
  );
  const isStream = whole.some((text) => typeof text === 'string' && text.startsWith('data:'));
  return givenAnswer(pieces, {
    headers: { 'content-type': isStream ? 'text/event-stream' : 'application/json' },
  });
}

function inPieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceCharacters) }, (_, index) =>
    text.slice(index * pieceCharacters, (index + 1) * pieceCharacters),
  );
}

function json(base64: string): string {
  return JSON.stringify({ data: [{ b64_json: base64 }] });
}

function event(said: unknown): string {
  return `data: ${JSON.stringify(said)}\n\n`;
}

function partial(base64: string): string {
  return event({ type: 'image_generation.partial_image', b64_json: base64 });
}

function completed(base64: string): string {
  return event({ type: 'image_generation.completed', b64_json: base64 });
}

function partialImage(base64: string): string {
  const type = 'response.image_generation_call.partial_image';
  return event({ type, partial_image_index: 0, partial_image_b64: base64 });
}

function item(said: unknown): string {
  return event({ type: 'response.output_item.done', item: said });
}

function end(filling: string | null): string {
  const output = filling ? [{ type: 'message', content: filling }] : [];
  return event({ type: 'response.completed', response: { status: 'completed', output } });
}
