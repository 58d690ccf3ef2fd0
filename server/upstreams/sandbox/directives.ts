import {
  type ImageFormat,
  type ImageQuality,
  imageFormats,
  imageQualities,
} from '../../../shared/image-options.ts';
import { imageLimits } from '../../../shared/limits.ts';
import { type Fault, faults, UpstreamError } from '../upstream.ts';

/** What the prompt's `[[name=value]]` directives ask of the sandbox. */
export interface Script {
  /** The prompt without its directives. */
  prompt: string;
  /** When the final picture is due, counted from the start of the attempt. */
  delayMs: number | null;
  /** When the first event is due. */
  firstMs: number | null;
  /** By how much both may vary: 0.2 is a fifth more or less. */
  jitterShare: number;
  misbehaviour: Misbehaviour | null;
  /** How many attempts of a picture misbehave; null means all. */
  times: number | null;
  retryAfterMs: number | null;
  /** At most so many partial images, whatever was asked. */
  partialImagesMax: number | null;
  /** What the picture is to be instead of what was asked. */
  actual: Actual;
  /** Fill the file up to about this size. */
  fileBytes: number | null;
  revisedPrompt: string | null;
  seed: number | null;
}

interface Actual {
  size?: { width: number; height: number };
  format?: ImageFormat;
  quality?: Exclude<ImageQuality, 'auto'>;
}

/** How an attempt goes wrong. `afterPartial` counts delivered partial images, from 1. */
export type Misbehaviour =
  | { kind: 'fail'; fault: ScriptedFault; afterPartial: number | null }
  | { kind: 'drop'; afterPartial: number | null }
  | { kind: 'stall' }
  | { kind: 'broken'; answer: BrokenAnswer };

/** Every fault but the one that only we can cause. */
export type ScriptedFault = Exclude<Fault, 'canceled'>;

export type BrokenAnswer = 'corrupt' | 'truncate' | 'empty' | 'text';

export const directiveLimits = {
  directivesMax: 20,
  delayMsMax: 600_000,
  retryAfterMsMax: 3_600_000,
  timesMax: 100,
  sidePixelsMin: 16,
  sidePixelsMax: 4096,
  fileBytesMax: 32 * 1_048_576,
  revisedPromptCharactersMax: 2_000,
} as const;

/** The prompt as it is, with nothing asked of the sandbox. */
export function plainScript(prompt: string): Script {
  return {
    prompt,
    delayMs: null,
    firstMs: null,
    jitterShare: 0,
    misbehaviour: null,
    times: null,
    retryAfterMs: null,
    partialImagesMax: null,
    actual: {},
    fileBytes: null,
    revisedPrompt: null,
    seed: null,
  };
}

/**
 * Takes the directives out of the prompt. Throws a `bad_request` for one that is unknown, malformed,
 * repeated or contradicts another. An unknown one is told by its place, because its name is the
 * caller's own text.
 */
export function readDirectives(prompt: string): Script {
  const found = [...prompt.matchAll(directivePattern)].map((match) => match[1] ?? '');
  if (found.length > directiveLimits.directivesMax) {
    throw badDirective(`no more than ${directiveLimits.directivesMax} directives fit in a prompt`);
  }
  let script = plainScript(withoutDirectives(prompt));
  const seen = new Set<string>();
  found.forEach((directive, i) => {
    const { name, argument } = splitDirective(directive, i + 1);
    if (seen.has(name)) throw badDirective(`${name} is given twice`);
    seen.add(name);
    const read: Reader = readers[name];
    const change = read(argument);
    if (change === null) throw badDirective(`${name} has a value that is not understood`);
    if (change.misbehaviour && script.misbehaviour) {
      throw badDirective(`${name} contradicts an earlier directive`);
    }
    if (change.retryAfterMs && script.retryAfterMs)
      throw badDirective('retry_after is given twice');
    script = { ...script, ...change };
  });
  if (script.times !== null && script.misbehaviour === null) {
    throw badDirective('times needs a directive that goes wrong');
  }
  if (script.retryAfterMs !== null && script.misbehaviour?.kind !== 'fail') {
    throw badDirective('retry_after needs fail');
  }
  return script;
}

const directivePattern = /\[\[([^[\]]*)\]\]/g;

/** What is left closes up, so that a directive's place in the prompt does not matter. */
function withoutDirectives(prompt: string): string {
  return prompt.replace(directivePattern, ' ').replace(/\s+/g, ' ').trim();
}

/** Reads what follows a directive's name; null when it is malformed. */
type Reader = (argument: string | null) => Partial<Script> | null;

const readers = {
  delay: (argument) => changed('delayMs', durationMs(argument, directiveLimits.delayMsMax)),
  first: (argument) => changed('firstMs', durationMs(argument, directiveLimits.delayMsMax)),
  jitter: (argument) => {
    const percent = wholeNumber(argument?.match(/^(\d+)%$/)?.[1], 0, 100);
    return percent === null ? null : { jitterShare: percent / 100 };
  },
  stall: (argument) => flag(argument, { kind: 'stall' }),
  fail: readFail,
  drop: (argument) => {
    if (argument === null) return { misbehaviour: { kind: 'drop', afterPartial: null } };
    const afterPartial = partialNumber(argument);
    return afterPartial === null ? null : { misbehaviour: { kind: 'drop', afterPartial } };
  },
  times: (argument) => changed('times', wholeNumber(argument, 1, directiveLimits.timesMax)),
  retry_after: (argument) =>
    changed('retryAfterMs', durationMs(argument, directiveLimits.retryAfterMsMax)),
  partials: (argument) =>
    changed('partialImagesMax', wholeNumber(argument, 0, imageLimits.partialImagesMax)),
  actual: readActual,
  bytes: (argument) => changed('fileBytes', byteCount(argument)),
  revise: (argument) => {
    const length = argument?.length ?? 0;
    const isFitting = length > 0 && length <= directiveLimits.revisedPromptCharactersMax;
    return isFitting ? { revisedPrompt: argument } : null;
  },
  seed: (argument) => changed('seed', wholeNumber(argument, 0, 2 ** 32 - 1)),
  corrupt: (argument) => flag(argument, { kind: 'broken', answer: 'corrupt' }),
  truncate: (argument) => flag(argument, { kind: 'broken', answer: 'truncate' }),
  empty: (argument) => flag(argument, { kind: 'broken', answer: 'empty' }),
  text: (argument) => flag(argument, { kind: 'broken', answer: 'text' }),
} satisfies Record<string, Reader>;

type DirectiveName = keyof typeof readers;

/** `name`, `name=argument`, or for `drop` also `name@argument`. */
function splitDirective(
  directive: string,
  place: number,
): { name: DirectiveName; argument: string | null } {
  const name = (/^\s*([a-z_]*)/i.exec(directive)?.[1] ?? '').toLowerCase();
  if (!isDirectiveName(name)) {
    throw badDirective(
      `number ${place} in the prompt is unknown; there are ${Object.keys(readers).join(', ')}`,
    );
  }
  const rest = directive.trim().slice(name.length).trim();
  if (rest === '') return { name, argument: null };
  if (name === 'drop' && rest.startsWith('@')) return { name, argument: rest };
  if (rest.startsWith('=')) return { name, argument: rest.slice(1).trim() };
  throw badDirective(`${name} is not followed by = and a value`);
}

function isDirectiveName(name: string): name is DirectiveName {
  return Object.hasOwn(readers, name);
}

/** `<fault>`, then perhaps `@partial<number>`, then perhaps `,retry_after=<duration>`. */
function readFail(argument: string | null): Partial<Script> | null {
  const parts = /^([a-z_]+)(@partial\d)?(?:\s*,\s*retry_after\s*=(.*))?$/.exec(argument ?? '');
  const [, name, place, wait] = parts ?? [];
  const fault = faults.find((each) => each === name);
  if (fault === undefined || fault === 'canceled') return null;
  const afterPartial = place === undefined ? null : partialNumber(place);
  if (place !== undefined && afterPartial === null) return null;
  const misbehaviour = { kind: 'fail', fault, afterPartial } as const;
  if (wait === undefined) return { misbehaviour };
  const retryAfterMs = durationMs(wait, directiveLimits.retryAfterMsMax);
  return retryAfterMs === null ? null : { misbehaviour, retryAfterMs };
}

/** A size, a format and a quality, each at most once, in any order. */
function readActual(argument: string | null): Partial<Script> | null {
  const actual: Actual = {};
  for (const part of (argument ?? '').split(',').map((each) => each.trim())) {
    const before = Object.keys(actual).length;
    const size = /^(\d{1,4})x(\d{1,4})$/.exec(part);
    const format = imageFormats.find((each) => each === part);
    const quality = imageQualities.find((each) => each === part);
    if (size !== null) {
      const { sidePixelsMin, sidePixelsMax } = directiveLimits;
      const width = wholeNumber(size[1], sidePixelsMin, sidePixelsMax);
      const height = wholeNumber(size[2], sidePixelsMin, sidePixelsMax);
      if (width === null || height === null) return null;
      actual.size = { width, height };
    } else if (format !== undefined) actual.format = format;
    else if (quality !== undefined && quality !== 'auto') actual.quality = quality;
    if (Object.keys(actual).length === before) return null;
  }
  return { actual };
}

function changed<K extends keyof Script>(key: K, value: Script[K] | null): Partial<Script> | null {
  return value === null ? null : { [key]: value };
}

function flag(argument: string | null, misbehaviour: Misbehaviour): Partial<Script> | null {
  return argument === null ? { misbehaviour } : null;
}

function partialNumber(text: string): number | null {
  return wholeNumber(/^@partial(\d)$/.exec(text)?.[1], 1, imageLimits.partialImagesMax);
}

/** `250ms`, `8s` or `1.5s`. */
function durationMs(text: string | null, maxMs: number): number | null {
  const [, number, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(text?.trim() ?? '') ?? [];
  if (number === undefined) return null;
  const ms = Math.round(Number(number) * (unit === 's' ? 1000 : 1));
  return ms <= maxMs ? ms : null;
}

/** A whole number of bytes, or of `K` (1024) or `M` (1,048,576) bytes. */
function byteCount(text: string | null): number | null {
  const [, number, unit] = /^(\d{1,9})([KM]?)$/i.exec(text ?? '') ?? [];
  const scale = { K: 1024, M: 1_048_576 }[unit?.toUpperCase() ?? ''] ?? 1;
  const bytes = number === undefined ? 0 : Number(number) * scale;
  return bytes >= 1 && bytes <= directiveLimits.fileBytesMax ? bytes : null;
}

function wholeNumber(text: string | null | undefined, min: number, max: number): number | null {
  if (text === null || text === undefined || !/^\d{1,10}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

function badDirective(problem: string): UpstreamError {
  return new UpstreamError('bad_request', `sandbox directive: ${problem}`);
}
