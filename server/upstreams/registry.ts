import { a1111Kind } from './a1111/adapter.ts';
import type { AdapterKind } from './adapter-kind.ts';
import { aiSdkKind } from './ai-sdk/adapter.ts';
import { comfyuiKind } from './comfyui/adapter.ts';
import { openaiImagesKind } from './openai-images/adapter.ts';
import { openaiResponsesKind } from './openai-responses/adapter.ts';
import { sandboxKind } from './sandbox/adapter.ts';

/** Every protocol that Tintype can speak. A new adapter adds one line. */
const kinds: readonly AdapterKind[] = [
  a1111Kind,
  comfyuiKind,
  sandboxKind,
  openaiImagesKind,
  openaiResponsesKind,
  aiSdkKind,
];

export const adapterKinds: ReadonlyMap<string, AdapterKind> = new Map(
  kinds.map((kind) => [kind.kind, kind]),
);
