import { extensionOf } from '../../jobs/image-order.ts';

const wordsMax = 5;
const wordsCharactersMax = 40;
const traceTail = 6;

/** `2025-11-14_gen-image-2_a-red-fox-in-snow_x7k2m9.png`: a name that every system takes. */
export function fileNameOf({
  createdAt,
  model,
  prompt,
  traceId,
  type,
}: {
  createdAt: string;
  model: string;
  prompt: string;
  traceId: string;
  type: string;
}): string {
  const parts = [
    createdAt.slice(0, 10),
    safe(model),
    firstWords(prompt),
    traceId.slice(-traceTail),
  ];
  return `${parts.filter((part) => part !== '').join('_')}.${extensionOf(type)}`;
}

function firstWords(prompt: string): string {
  const words = prompt.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  const text = words.slice(0, wordsMax).join('-').toLowerCase();
  return Array.from(text).slice(0, wordsCharactersMax).join('').replace(/-$/, '');
}

function safe(text: string): string {
  return text.replace(/[^\w.-]+/g, '-');
}
