/** Finds the picture in an answer or an event, whatever the service calls it. */
import { z } from 'zod';
import { CutString } from '../../lib/bytes/json-cut.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import type { UpstreamTokens } from '../upstream.ts';
import { saysError } from '../wire/error-said.ts';
import { pictureOfText, textBytes } from '../wire/picture-text.ts';
import type { RefusalMark } from './dialect.ts';

/** A picture of an answer: its bytes, or the address they are at. */
export type PictureSource = { image: EncodedImage } | { address: string };

export interface AnsweredPicture {
  source: PictureSource;
  revisedPrompt: string | null;
  actual: { quality: string | null; background: string | null };
  tokens: UpstreamTokens | null;
}

/** The first picture of an answer, or null: no words, no empty list and no broken data is one. */
export function readPicture(answer: unknown): AnsweredPicture | null {
  const { quality, background, usage } = detailsOf(answer);
  for (const item of itemsOf(answer)) {
    const source = sourceOf(item);
    if (!source) continue;
    const revisedPrompt = detailsOf(item).revised_prompt;
    return { source, revisedPrompt, actual: { quality, background }, tokens: usage };
  }
  return null;
}

/** Whether an answer says that its picture was declined. */
export function isRefused(answer: unknown, marks: readonly RefusalMark[]): boolean {
  return itemsOf(answer).some((item) => marks.some((mark) => carries(item, mark)));
}

/** The answer, or the entry in it, that is an error all the same; undefined when nothing is. */
export function errorInside(answer: unknown): unknown {
  return itemsOf(answer).find(saysError);
}

/** Token counts as services report them; null where there are none. */
export function readTokens(answer: unknown): UpstreamTokens | null {
  return detailsOf(answer).usage;
}

/**
 * Its `data` and `images`: a list, one entry, or text. Then the answer itself, where some repeat what
 * they were given to draw from.
 */
function itemsOf(answer: unknown): readonly unknown[] {
  const lists = ['data', 'images'].map((name) => memberOf(answer, name) ?? []);
  return [...lists.flat(1), answer];
}

const pictureMembers = ['b64_json', 'url', 'b64', 'base64', 'image', 'image_url', 'image_base64'];

function sourceOf(item: unknown): PictureSource | null {
  if (textBytes(item)) return sourceOfText(item);
  for (const name of pictureMembers) {
    const value = memberOf(item, name);
    const source = sourceOfText(memberOf(value, 'url') ?? value);
    if (source) return source;
  }
  return null;
}

function sourceOfText(text: unknown): PictureSource | null {
  if (typeof text === 'string' && /^(https?:\/\/|\/(?!\/))/i.test(text) && !isPicture(text)) {
    return { address: text };
  }
  const image = pictureOfText(text);
  return image && sniffFormat(image) !== null ? { image } : null;
}

/** The base64 of a JPEG begins with a slash, as an address may. */
function isPicture(text: string): boolean {
  const image = pictureOfText(text);
  return image !== null && sniffFormat(image) !== null;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || value instanceof CutString) return undefined;
  // Any object may be asked for any member; what is there is looked at before it is used.
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function carries(item: unknown, { member, is }: RefusalMark): boolean {
  const value = memberOf(item, member);
  return is === 'false' ? value === false : (value ?? null) !== null && value !== '';
}

const text = z.string().nullish().catch(null);
const count = z.int().min(0).nullish().catch(null);

/** OpenAI's names, and those of chat answers, which gateways use. */
const usageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    prompt_tokens: count,
    completion_tokens: count,
    input_tokens_details: z
      .object({ text_tokens: count, image_tokens: count })
      .nullish()
      .catch(null),
  })
  .transform((usage): UpstreamTokens | null => {
    const input = usage.input_tokens ?? usage.prompt_tokens;
    const output = usage.output_tokens ?? usage.completion_tokens;
    if (!input && !output) return null;
    return {
      input: input ?? 0,
      output: output ?? 0,
      inputText: usage.input_tokens_details?.text_tokens ?? 0,
      inputImage: usage.input_tokens_details?.image_tokens ?? 0,
    };
  });

const detailsSchema = z.object({
  quality: text,
  background: text,
  revised_prompt: text,
  usage: usageSchema.nullish().catch(null),
});

function detailsOf(value: unknown) {
  const { quality, background, revised_prompt, usage } =
    detailsSchema.safeParse(value).data ?? detailsSchema.parse({});
  return {
    quality: wordOrNull(quality),
    background: wordOrNull(background),
    revised_prompt: revised_prompt?.trim() ? revised_prompt : null,
    usage: usage ?? null,
  };
}

const wordCharactersMax = 32;

/** Says nothing longer than a word, for it is stored and shown. `auto` is what was asked for, not what was chosen. */
function wordOrNull(word: string | null | undefined): string | null {
  return word && word !== 'auto' && word.length <= wordCharactersMax ? word : null;
}
