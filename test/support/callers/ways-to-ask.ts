/** The three bodies in which pictures can be asked for, so that a rule is tested in all of them. */
import type { Operation } from '../../../shared/image-options.ts';
import { pngChunk, pngHeader, pngPixels, writePng } from '../pictures.ts';

/** Fields of the body by name. One that is `undefined` is left out. */
export type Fields = Readonly<Record<string, unknown>>;

export type Body = NonNullable<RequestInit['body']>;

export interface Way {
  /** Completes "in …". */
  name: string;
  operation: Operation;
  path: '/v1/images/generations' | '/v1/images/edits';
  form: 'json' | 'multipart';
  write(fields: Fields): { headers: Record<string, string>; body: Body };
}

/** The smallest picture there is: 1 × 1. */
export const dot = writePng([pngHeader(), pngPixels(), pngChunk('IEND')]);

/** Drawn in no time; a test of sizes asks without it. */
export const smallPrompt = 'a fox [[actual=32x32]]';

/** What every request needs. Fields of a test go before them. */
const needed: Fields = { model: 'gen-image-2.5-flare', prompt: smallPrompt };

export const generation: Way = {
  name: 'a generation',
  operation: 'generation',
  path: '/v1/images/generations',
  form: 'json',
  write: (fields) => json({ ...needed, ...fields }),
};

export const jsonEdit: Way = {
  name: 'an edit in JSON',
  operation: 'edit',
  path: '/v1/images/edits',
  form: 'json',
  write: (fields) => json({ ...needed, images: [{ image_url: dataUrl(dot) }], ...fields }),
};

export const formEdit: Way = {
  name: 'an edit as a form',
  operation: 'edit',
  path: '/v1/images/edits',
  form: 'multipart',
  write: (fields) => ({ headers: {}, body: formOf({ ...needed, image: dot, ...fields }) }),
};

export const waysToEdit = [jsonEdit, formEdit] as const;
export const waysToAsk = [generation, ...waysToEdit] as const;

export function json(body: unknown): { headers: Record<string, string>; body: Body } {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Bytes become files, lists repeated parts, everything else text. */
export function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) appendPart(form, name, item);
  }
  return form;
}

function appendPart(form: FormData, name: string, value: unknown): void {
  if (value === undefined) return;
  if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), 'a.png');
  else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
}

export function dataUrl(bytes: Buffer, mediaType = 'image/png'): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
