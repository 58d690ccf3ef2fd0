import type { MaskDocument } from '../../../../mask/mask-document.ts';
import type { Wanted } from './wanted.ts';

/** What a request is made of. */
export interface DraftContent {
  prompt: string;
  /** Null takes the first that can be used. */
  model: string | null;
  wanted: Wanted;
  /** In the order of the wire: one with a mask is always the first. */
  references: readonly Reference[];
}

export interface Reference {
  id: string;
  name: string;
  image: Blob;
  width: number;
  height: number;
  thumb: Blob;
  mask: MaskDocument | null;
}
