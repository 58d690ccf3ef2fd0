/**
 * Reads the manifest of an export, which may come from anywhere: what is not as it should be is
 * left out.
 */
import {
  imageBackgrounds,
  imageFormats,
  imageQualities,
  imageSizes,
  inputFidelities,
  operations,
} from '../../../shared/image-options.ts';
import type { OrderFields } from '../../jobs/image-order.ts';
import { maskLimits } from '../../mask/mask-limits.ts';
import {
  type ManifestFile,
  type ManifestMask,
  type ManifestRun,
  type ManifestShape,
  manifestFormat,
  manifestVersion,
} from './manifest.ts';

export type ReadManifest =
  | {
      kind: 'manifest';
      runs: readonly ManifestRun[];
      /** Runs that cannot be understood. */
      unreadable: number;
    }
  /** No manifest of ours. */
  | { kind: 'foreign' }
  /** Written by a later console, which may mean something else by the same words. */
  | { kind: 'newer' };

export const manifestLimits = {
  bytesMax: 256 * 1_048_576,
  pictureBytesMax: 256 * 1_048_576,
  thumbBytesMax: 1_048_576,
  runsMax: 100_000,
  promptCharactersMax: 64_000,
  /** Of anything else that is text. */
  textCharactersMax: 1_000,
  referencesMax: 64,
  shapesMax: 100_000,
  strokeNumbersMax: 1_000_000,
  sideMax: 100_000,
} as const;

/** No ID of ours looks otherwise. */
const idPattern = /^[\w-]{1,64}$/;
const hashPattern = /^[0-9a-f]{64}$/;
/** Pictures of any other type are not shown: an SVG, for one, could do more than be looked at. */
const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export function readManifest(text: string): ReadManifest {
  const manifest = parse(text);
  if (!isRecord(manifest) || manifest['format'] !== manifestFormat) return { kind: 'foreign' };
  const { version, runs: all } = manifest;
  if (typeof version === 'number' && version > manifestVersion) return { kind: 'newer' };
  if (version !== manifestVersion || !Array.isArray(all)) return { kind: 'foreign' };
  // Of anything, until each is read.
  const listed: readonly unknown[] = all.slice(0, manifestLimits.runsMax);
  const runs = listed.flatMap((each) => orNothing(() => readRun(each)));
  return { kind: 'manifest', runs, unreadable: all.length - runs.length };
}

function readRun(value: unknown): ManifestRun {
  const run = record(value);
  const image = record(run['image']);
  const thumb = record(run['thumb']);
  const used = record(run['used']);
  return {
    id: matching(run['id'], idPattern),
    traceId: text(run['traceId']),
    createdAt: instant(run['createdAt']),
    operation: oneOf(run['operation'], operations),
    asked: readAsked(run['asked']),
    partialImages: whole(run['partialImages'], 100),
    used: {
      size: text(used['size']),
      quality: text(used['quality']),
      output_format: text(used['output_format']),
      background: text(used['background']),
    },
    revisedPrompt: orNull(run['revisedPrompt'], prompt),
    costMicros: whole(run['costMicros'], Number.MAX_SAFE_INTEGER),
    durationMs: orNull(run['durationMs'], (ms) => whole(ms, Number.MAX_SAFE_INTEGER)),
    isStarred: run['isStarred'] === true,
    madeOf: orNull(run['madeOf'], (id) => matching(id, idPattern)),
    image: {
      ...readFile(image),
      bytes: whole(image['bytes'], Number.MAX_SAFE_INTEGER),
      width: side(image['width']),
      height: side(image['height']),
    },
    thumb: { file: text(thumb['file']), type: oneOf(thumb['type'], imageTypes) },
    references: list(run['references'], manifestLimits.referencesMax).map((each) => {
      const reference = record(each);
      return { ...readFile(reference), name: text(reference['name']) };
    }),
    mask: orNull(run['mask'], readMask),
  };
}

function readAsked(value: unknown): OrderFields {
  const asked = record(value);
  const fields: OrderFields = { model: text(asked['model']), prompt: prompt(asked['prompt']) };
  const { size, quality, output_format, output_compression, background, input_fidelity } = asked;
  if (size !== undefined) fields.size = oneOf(size, imageSizes);
  if (quality !== undefined) fields.quality = oneOf(quality, imageQualities);
  if (output_format !== undefined) fields.output_format = oneOf(output_format, imageFormats);
  if (output_compression !== undefined) fields.output_compression = whole(output_compression, 100);
  if (background !== undefined) fields.background = oneOf(background, imageBackgrounds);
  if (input_fidelity !== undefined) fields.input_fidelity = oneOf(input_fidelity, inputFidelities);
  return fields;
}

function readFile(file: Readonly<Record<string, unknown>>): ManifestFile {
  return {
    file: text(file['file']),
    type: oneOf(file['type'], imageTypes),
    sha256: matching(file['sha256'], hashPattern),
  };
}

function readMask(value: unknown): ManifestMask {
  const mask = record(value);
  const keepOutside = orNull(mask['keepOutside'] ?? null, record);
  return {
    width: side(mask['width']),
    height: side(mask['height']),
    isInverted: mask['isInverted'] === true,
    coverage: finite(mask['coverage']),
    file: text(mask['file']),
    shapes: list(mask['shapes'], manifestLimits.shapesMax).map(readShape),
    ...(keepOutside
      ? { keepOutside: { feather: whole(keepOutside['feather'], maskLimits.featherMax) } }
      : {}),
  };
}

function readShape(value: unknown): ManifestShape {
  const shape = record(value);
  const kind = oneOf(shape['kind'], ['stroke', 'rectangle', 'bitmap'] as const);
  if (kind === 'bitmap') return { kind, file: text(shape['file']) };
  const tool = oneOf(shape['tool'], ['brush', 'eraser'] as const);
  if (kind === 'stroke') {
    const points = list(shape['points'], manifestLimits.strokeNumbersMax).map(finite);
    return { kind, tool, size: finite(shape['size']), points };
  }
  return {
    kind,
    tool,
    x: finite(shape['x']),
    y: finite(shape['y']),
    width: finite(shape['width']),
    height: finite(shape['height']),
  };
}

/** Ends the reading of one run, and is never seen by anybody. */
class Unreadable extends Error {}

function orNothing<T>(read: () => T): readonly T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Unreadable();
  return value;
}

function list(value: unknown, countMax: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > countMax) throw new Unreadable();
  return value;
}

function text(value: unknown, charactersMax: number = manifestLimits.textCharactersMax): string {
  if (typeof value !== 'string' || value.length > charactersMax) throw new Unreadable();
  return value;
}

function prompt(value: unknown): string {
  return text(value, manifestLimits.promptCharactersMax);
}

function matching(value: unknown, pattern: RegExp): string {
  const found = text(value);
  if (!pattern.test(found)) throw new Unreadable();
  return found;
}

/** Written in one form only, because lists are ordered by it. */
function instant(value: unknown): string {
  const ms = Date.parse(text(value));
  if (Number.isNaN(ms)) throw new Unreadable();
  return new Date(ms).toISOString();
}

function oneOf<const T extends string>(value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Unreadable();
  return found;
}

function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unreadable();
  return value;
}

function whole(value: unknown, max: number): number {
  const number = finite(value);
  if (!Number.isInteger(number) || number < 0 || number > max) throw new Unreadable();
  return number;
}

function side(value: unknown): number {
  const number = whole(value, manifestLimits.sideMax);
  if (number === 0) throw new Unreadable();
  return number;
}

function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value);
}
