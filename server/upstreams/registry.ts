import { openaiImagesKind } from './openai-images/adapter.ts';
import { sandboxKind } from './sandbox/adapter.ts';
import type { AdapterKind } from './upstream.ts';

/** Every protocol that Tintype can speak. A new adapter adds one line. */
const kinds: readonly AdapterKind[] = [sandboxKind, openaiImagesKind];

export const adapterKinds: ReadonlyMap<string, AdapterKind> = new Map(
  kinds.map((kind) => [kind.kind, kind]),
);
