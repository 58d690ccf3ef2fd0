/**
 * The request on the page as code. It is made of the same object that is sent, so it cannot say
 * anything else. No key is in it: programs read theirs from the environment.
 */
import { filesOf, type ImageOrder, streamFields } from '../jobs/image-order.ts';
import { type CodeLine, joinLines } from './code-parts.ts';
import { curlLines } from './curl.ts';
import { fetchLines } from './fetch.ts';
import { nodeLines } from './node.ts';
import { powershellLines } from './powershell.ts';
import { pythonLines } from './python.ts';
import type { Snippet } from './snippet.ts';

export const targets = ['curl', 'powershell', 'python', 'node', 'fetch'] as const;
export type Target = (typeof targets)[number];

export interface SnippetWish {
  order: ImageOrder;
  target: Target;
  /** `https://images.example.com/v1` */
  baseUrl: string;
  isStream: boolean;
}

export function snippetOf({ order, target, baseUrl, isStream }: SnippetWish): CodeLine {
  const isEdit = order.operation === 'edit';
  const files = filesOf(order);
  return joinLines(
    writers[target]({
      baseUrl,
      url: `${baseUrl}/images/${isEdit ? 'edits' : 'generations'}`,
      isEdit,
      isStream,
      fields: { ...order.fields, ...(isStream ? streamFields(order) : {}) },
      images: files.filter(({ field }) => field === 'image[]'),
      mask: files.find(({ field }) => field === 'mask') ?? null,
      output: `image.${order.fields.output_format ?? 'png'}`,
    }),
  );
}

const writers: Readonly<Record<Target, (snippet: Snippet) => readonly CodeLine[]>> = {
  curl: curlLines,
  powershell: powershellLines,
  python: pythonLines,
  node: nodeLines,
  fetch: fetchLines,
};
