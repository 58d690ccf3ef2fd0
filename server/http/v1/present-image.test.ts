import { expect, it } from 'vitest';
import { imagesResponseSchema } from '../../../shared/api/images.ts';
import { amountFromMicros } from '../../../shared/money.ts';
import { exactly } from '../../../test/support/exactly.ts';
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

function answerWith(background: string): string {
  const picture = {
    image: { encoding: 'raw', bytes: Buffer.from('picture') } as const,
    format: 'png' as const,
    width: 8,
    height: 6,
    hasAlpha: true,
    revisedPrompt: 'a fox',
    quality: 'auto',
    background,
    tokens: null,
  };
  const charged = { cost: amountFromMicros(40_000), balance: amountFromMicros(0) };
  const result = { traceId: 'tr_1', created: 1_795_272_793, pictures: [picture], charged };
  return Buffer.concat([...imagesResponse(result, 'b64_json')]).toString();
}
