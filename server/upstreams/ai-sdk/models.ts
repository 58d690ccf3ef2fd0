/** What the upstream models of a service can do, as rows of a table. */
import type { JSONValue } from '@ai-sdk/provider';
import {
  type ImageFormat,
  type ImageQuality,
  imageFormats,
} from '../../../shared/image-options.ts';
import type { Capabilities, ImageJob } from '../upstream.ts';
import type { MaskColour } from '../wire/mask.ts';
import { ownShape, type Shape } from './shapes.ts';

/** Fields of the SDK's options for a vendor. */
export type SdkOptions = Readonly<Record<string, JSONValue>>;

export interface ModelRow {
  /** Which upstream models the row speaks of. */
  pattern: RegExp;
  generation: boolean;
  /** 0 where it makes no edits. */
  referenceImagesMax: number;
  /** What of reference images it can read; the others are sent as PNG. */
  reads: readonly ImageFormat[];
  /** The colour that marks what is to be changed; null where masks are not taken. */
  mask: MaskColour | null;
  shape: Shape;
  /** The first is what it delivers when it cannot deliver what is asked. */
  formats: readonly [ImageFormat, ...ImageFormat[]];
  qualities: readonly ImageQuality[];
  /** Whether `options` passes the compression on. */
  isCompressing: boolean;
  /** The largest seed it takes, where pictures of one prompt are the same without one; else null. */
  seedMax: number | null;
  options(job: ImageJob): SdkOptions;
}

/** A row from what is special about it: otherwise a model makes PNGs of its own size from prompts. */
export function modelRow(special: Pick<ModelRow, 'pattern'> & Partial<ModelRow>): ModelRow {
  return {
    generation: true,
    referenceImagesMax: 0,
    reads: imageFormats,
    mask: null,
    shape: ownShape,
    formats: ['png'],
    qualities: ['auto'],
    isCompressing: false,
    seedMax: null,
    options: () => ({}),
    ...special,
  };
}

const unknownModel = modelRow({ pattern: /^/, generation: false });

export function rowFor(rows: readonly ModelRow[], upstreamModel: string): ModelRow {
  return rows.find(({ pattern }) => pattern.test(upstreamModel)) ?? unknownModel;
}

export function capabilitiesOf(row: ModelRow): Capabilities {
  return {
    generation: row.generation,
    edit: row.referenceImagesMax > 0,
    referenceImagesMax: row.referenceImagesMax,
    mask: row.mask !== null,
    partialImages: false,
    sizes: row.shape.sizes,
    formats: row.formats,
    qualities: row.qualities,
    transparentBackground: false,
  };
}

/** The asked format where the model delivers it. */
export function formatFor(job: ImageJob, { formats }: Pick<ModelRow, 'formats'>): ImageFormat {
  return formats.includes(job.format) ? job.format : formats[0];
}
