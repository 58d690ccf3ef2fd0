/**
 * The parts of a response that are read. Source: the npm package openai 7.55,
 * `resources/responses/responses.d.ts`, interfaces `Response`, `ResponseOutputMessage` and
 * `ResponseOutputItem.ImageGenerationCall`.
 */
import { z } from 'zod';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import type { UpstreamTokens } from '../upstream.ts';
import { type ErrorSaid, readErrorSaid } from '../wire/error-said.ts';
import { machineWord } from '../wire/machine-word.ts';
import { pictureOfText } from '../wire/picture-text.ts';

export interface MadePicture {
  image: EncodedImage;
  revisedPrompt: string | null;
  actual: { quality: string | null; background: string | null };
}

const textOrNull = z.string().nullish().catch(null);

/** An image call or a message; of other items nothing but the type is read. */
const outputItem = z.object({
  type: z.string(),
  status: textOrNull,
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  revised_prompt: textOrNull,
  quality: textOrNull,
  background: textOrNull,
  content: z
    .array(z.object({ type: textOrNull }))
    .nullish()
    .catch(null),
});
export type OutputItem = z.infer<typeof outputItem>;

const count = z.int().min(0);

const imageUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: z.object({ text_tokens: count, image_tokens: count }),
});

const responseBody = z.object({
  id: textOrNull,
  status: textOrNull,
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: textOrNull }).nullish().catch(null),
  output: z.array(outputItem.nullable().catch(null)).nullish().catch(null),
  tool_usage: z.object({ image_gen: imageUsage }).nullish().catch(null),
});
export type ResponseBody = z.infer<typeof responseBody>;

export function readItem(value: unknown): OutputItem | null {
  return outputItem.safeParse(value).data ?? null;
}

/** What is no object is a response without anything in it. */
export function readResponse(value: unknown): ResponseBody {
  return responseBody.safeParse(value).data ?? {};
}

/** The item's picture. Its `status` is no guide: whole pictures have come with `generating`. */
export function pictureOf(item: OutputItem): MadePicture | null {
  if (item.type !== 'image_generation_call') return null;
  const image = pictureOfText(item.result);
  if (!image) return null;
  return {
    image,
    revisedPrompt: item.revised_prompt ?? null,
    actual: { quality: settled(item.quality), background: settled(item.background) },
  };
}

/** `auto` is what was asked for, not what was chosen. */
function settled(value: string | null | undefined): string | null {
  return value === 'auto' ? null : machineWord(value ?? null);
}

/** Why the image call failed; null when the item is another one or has not failed. */
export function failureOf(item: OutputItem): ErrorSaid | null {
  if (item.type !== 'image_generation_call') return null;
  const error = item.error ?? null;
  return error !== null || item.status === 'failed' ? readErrorSaid({ error }) : null;
}

export function isRefusal({ type, content }: OutputItem): boolean {
  return type === 'message' && (content ?? []).some((part) => part.type === 'refusal');
}

export function tokensOf({ tool_usage: usage }: ResponseBody): UpstreamTokens | null {
  if (!usage) return null;
  const { input_tokens, output_tokens, input_tokens_details: details } = usage.image_gen;
  return {
    input: input_tokens,
    output: output_tokens,
    inputText: details.text_tokens,
    inputImage: details.image_tokens,
  };
}
