/**
 * What the controls are set to, and what of it a model can do. A value that a model does not offer
 * is kept and comes back with a model that does; meanwhile the nearest one is used, and said.
 */

import type { PlaygroundModel } from '../../../../../shared/console/models.ts';
import {
  type ImageBackground,
  type ImageFormat,
  type ImageQuality,
  type ImageSize,
  type InputFidelity,
  imageBackgrounds,
  imageFormats,
  imageQualities,
  imageSizes,
  inputFidelities,
} from '../../../../../shared/image-options.ts';
import { imageLimits } from '../../../../../shared/limits.ts';

export interface Wanted {
  size: ImageSize;
  quality: ImageQuality;
  format: ImageFormat;
  /** For JPEG and WebP. */
  compression: number;
  background: ImageBackground;
  /** Where there are references. */
  fidelity: InputFidelity;
  previews: number;
  /** How many separate requests a click sends. */
  variations: number;
}

export type Capabilities = NonNullable<PlaygroundModel['capabilities']>;

export const defaultWanted: Wanted = {
  size: 'auto',
  quality: 'auto',
  format: 'png',
  compression: 90,
  background: 'auto',
  fidelity: 'low',
  previews: 2,
  variations: 1,
};

export const variationsMax = 4;

/** The values in force, and those wishes that had to give way. */
export interface Fitted {
  values: Wanted;
  replaced: readonly Replaced[];
}

export type Replaced = {
  [Name in 'size' | 'quality' | 'format' | 'background']: {
    name: Name;
    wanted: Wanted[Name];
    used: Wanted[Name];
  };
}['size' | 'quality' | 'format' | 'background'];

/** @param capabilities null while the model cannot be used: then everything is possible */
export function fit(wanted: Wanted, capabilities: Capabilities | null): Fitted {
  if (!capabilities) return { values: wanted, replaced: [] };
  const values: Wanted = {
    ...wanted,
    size: capabilities.sizes.includes(wanted.size) ? wanted.size : 'auto',
    quality: nearest(imageQualities, wanted.quality, capabilities.qualities),
    format: nearest(imageFormats, wanted.format, capabilities.output_formats),
    background: offersBackground(wanted.background, capabilities) ? wanted.background : 'auto',
    previews: capabilities.partial_images ? wanted.previews : 0,
  };
  const names = ['size', 'quality', 'format', 'background'] as const;
  const replaced = names
    .filter((name) => values[name] !== wanted[name])
    // Name and values belong together: both come from the same entry.
    .map((name) => ({ name, wanted: wanted[name], used: values[name] }) as Replaced);
  return { values, replaced };
}

function offersBackground(background: ImageBackground, capabilities: Capabilities): boolean {
  if (background !== 'transparent') return true;
  return (
    capabilities.transparent_background &&
    capabilities.output_formats.some((each) => each !== 'jpeg')
  );
}

/** The offered value closest in the order of the list; of two as close, the lesser. */
function nearest<T extends string>(order: readonly T[], wanted: T, offered: readonly T[]): T {
  if (offered.includes(wanted) || offered.length === 0) return wanted;
  const at = order.indexOf(wanted);
  const distance = (value: T) => Math.abs(order.indexOf(value) - at);
  return [...offered].sort(
    (a, b) => distance(a) - distance(b) || order.indexOf(a) - order.indexOf(b),
  )[0] as T;
}

/** Transparency needs PNG or WebP: the newer wish wins. */
export function withBackground(wanted: Wanted, background: ImageBackground): Wanted {
  const isImpossible = background === 'transparent' && wanted.format === 'jpeg';
  return { ...wanted, background, ...(isImpossible ? { format: 'png' } : {}) };
}

export function withFormat(wanted: Wanted, format: ImageFormat): Wanted {
  const isImpossible = format === 'jpeg' && wanted.background === 'transparent';
  return { ...wanted, format, ...(isImpossible ? { background: 'auto' } : {}) };
}

export function hasCompression(format: ImageFormat): boolean {
  return format !== 'png';
}

/** What the API takes for a field that a request leaves out. */
const leftOut = {
  size: 'auto',
  quality: 'auto',
  output_format: 'png',
  background: 'auto',
  input_fidelity: 'low',
} as const;

/**
 * Reads the fields of a request that came from elsewhere, such as pasted settings; what makes no sense
 * stays as it was.
 */
export function readWanted(fields: Readonly<Record<string, unknown>>, before: Wanted): Wanted {
  const raw: Readonly<Record<string, unknown>> = { ...leftOut, ...fields };
  const named = {
    size: raw['size'],
    quality: raw['quality'],
    format: raw['output_format'],
    compression: raw['output_compression'],
    background: raw['background'],
    fidelity: raw['input_fidelity'],
    previews: raw['partial_images'],
  };
  return wantedIn(named, before);
}

/** What makes no sense, or is not there, stays as it was. */
export function wantedIn(
  raw: { readonly [Name in keyof Wanted]?: unknown },
  before: Wanted,
): Wanted {
  return {
    size: oneOf(imageSizes, raw.size) ?? before.size,
    quality: oneOf(imageQualities, raw.quality) ?? before.quality,
    format: oneOf(imageFormats, raw.format) ?? before.format,
    compression: integer(raw.compression, 0, 100) ?? before.compression,
    background: oneOf(imageBackgrounds, raw.background) ?? before.background,
    fidelity: oneOf(inputFidelities, raw.fidelity) ?? before.fidelity,
    previews: integer(raw.previews, 0, imageLimits.partialImagesMax) ?? before.previews,
    variations: integer(raw.variations, 1, variationsMax) ?? before.variations,
  };
}

function oneOf<T extends string>(values: readonly T[], raw: unknown): T | undefined {
  return values.find((value) => value === raw);
}

function integer(raw: unknown, min: number, max: number): number | undefined {
  const isFitting = typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max;
  return isFitting ? raw : undefined;
}
