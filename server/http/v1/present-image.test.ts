import { expect, it } from 'vitest';
import { imagesResponseSchema } from '../../../shared/api/images.ts';
import { amountFromMicros } from '../../../shared/money.ts';
import { exactly } from '../../../test/support/exactly.ts';
import type { MadePicture } from '../../flows/requests/attempts/attempt.ts';
import { imagesResponse } from './present-image.ts';

// OpenAI's answers know these two only, and some clients read no others: the picture would be paid and not had.
it.each([
  ['opaque', 'opaque'],
  ['transparent', 'transparent'],
  ['auto', undefined],
  ['a wall', undefined],
])('an answer with a background of %j tells of %j', (background, told) => {
  const answer = exactly(imagesResponseSchema, JSON.parse(answerWith(background)));
  expect(answer.background).toBe(told);
  expect(answer).toMatchObject({ size: '8x6', quality: 'auto', output_format: 'png' });
});

it('the tokens of all pictures are added up, where their services told them', () => {
  const tokens = { input: 30, output: 400, inputText: 10, inputImage: 20 };
  const told = [{ tokens }, { tokens: null }, { tokens }];
  const answer = exactly(imagesResponseSchema, JSON.parse(answerWith('opaque', told)));
  expect(answer.usage).toEqual({
    images: 3,
    input_tokens: 60,
    output_tokens: 800,
    total_tokens: 860,
    input_tokens_details: { text_tokens: 20, image_tokens: 40 },
  });
});

function answerWith(
  background: string,
  told: readonly Pick<MadePicture, 'tokens'>[] = [{ tokens: null }],
): string {
  const picture = {
    image: { encoding: 'raw', bytes: Buffer.from('picture') } as const,
    format: 'png' as const,
    width: 8,
    height: 6,
    hasAlpha: true,
    revisedPrompt: 'a fox',
    quality: 'auto',
    background,
  };
  const charged = { cost: amountFromMicros(40_000), balance: amountFromMicros(0) };
  const result = {
    traceId: 'tr_1',
    created: 1_795_272_793,
    pictures: told.map((one) => ({ ...picture, ...one })),
    charged,
  };
  return Buffer.concat([...imagesResponse(result, 'b64_json')]).toString();
}
