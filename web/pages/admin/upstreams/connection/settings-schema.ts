/**
 * The settings of an upstream as fields of a form, by the JSON Schema in which its kind describes
 * them. What is typed stays text until it is saved; what equals the default is left out.
 */

export interface SettingField {
  /** `steps.low` for one within an object. */
  path: string;
  title: string;
  description: string | null;
  control: SettingControl;
  /** What is in force when nothing is set; undefined where only the service knows. */
  fallback: unknown;
  /** What is meant when somebody empties it; undefined for as by default. */
  empty: unknown;
}

export type SettingControl =
  | { kind: 'choice'; choices: readonly string[]; isNullable: boolean }
  | { kind: 'choices'; choices: readonly string[] }
  | { kind: 'switch' }
  | { kind: 'number'; isInteger: boolean; min: number | null; max: number | null }
  | { kind: 'text'; isLong: boolean; charactersMax: number | null }
  | { kind: 'lines' }
  | { kind: 'json' }
  /** Workflows by name, each with `slots` that are marked in it, and settings of its own. */
  | { kind: 'workflows'; slots: readonly string[]; own: readonly SettingField[] };

/** What is typed, by path. */
export type SettingDraft = Readonly<Record<string, string | boolean | readonly string[]>>;

export type Settings = Readonly<Record<string, unknown>>;

export type DraftProblem = 'number' | 'json';

/** Longer texts get a field of several lines. */
const shortCharactersMax = 300;

interface Schema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export function readFields(schema: Settings, prefix = ''): readonly SettingField[] {
  // The service describes its kinds in JSON Schema; what is not understood becomes a JSON field.
  const { properties = {} } = schema as Schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    if (isGroup(property)) return groupFields(path, property);
    return fieldOf(path, property);
  });
}

export function draftOf(fields: readonly SettingField[], settings: Settings): SettingDraft {
  return Object.fromEntries(
    fields.map((field) => [field.path, typedOf(field, valueAt(settings, field.path))]),
  );
}

/** Which fields hold what cannot be sent. */
export function problemsOf(
  fields: readonly SettingField[],
  draft: SettingDraft,
): ReadonlyMap<string, DraftProblem> {
  const found = new Map<string, DraftProblem>();
  for (const field of fields) {
    const problem = problemOf(field.control, draft[field.path]);
    if (problem !== null) found.set(field.path, problem);
  }
  return found;
}

/** @throws what `problemsOf` would have found */
export function settingsOf(fields: readonly SettingField[], draft: SettingDraft): Settings {
  const settings: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field, draft[field.path]);
    if (value !== undefined && !isSame(value, field.fallback)) put(settings, field.path, value);
  }
  return settings;
}

/** Objects with names of their own become fields of their own, one level deep. */
function isGroup({ type, properties }: Schema): boolean {
  return type === 'object' && properties !== undefined;
}

function groupFields(path: string, { title, properties = {} }: Schema): readonly SettingField[] {
  return Object.entries(properties).map(([name, property]) => {
    const field = fieldOf(`${path}.${name}`, property);
    return { ...field, title: `${title ?? path}: ${field.title}` };
  });
}

function fieldOf(path: string, property: Schema): SettingField {
  const { title, description, default: fallback } = property;
  return {
    path,
    title: title ?? path,
    description: description ?? null,
    control: controlOf(property),
    fallback,
    empty: emptyOf(property),
  };
}

/** Nothing, where that may be; no items; no text, unless there must be some. */
function emptyOf(property: Schema): unknown {
  const { type, anyOf = [], minLength = 0 } = property;
  if (anyOf.some((option) => option.type === 'null')) return null;
  if (type === 'array') return [];
  if (type === 'object') return {};
  return type === 'string' && !property.enum && minLength === 0 ? '' : undefined;
}

function controlOf(property: Schema): SettingControl {
  const any = property.anyOf?.flatMap((option) => option.anyOf ?? option);
  const options = any?.filter(({ type }) => type !== 'null');
  const isNullable = options !== undefined && options.length < (any?.length ?? 0);
  const [only, ...others] = options ?? [property];
  // A name that may look like a number.
  if (only?.type === 'string' && others.every(({ type }) => type === 'integer')) {
    return textOf(only, isNullable);
  }
  if (!only || others.length > 0) return { kind: 'json' };
  switch (only.type) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        isInteger: only.type === 'integer',
        min: only.minimum ?? null,
        max: only.maximum ?? null,
      };
    case 'array':
      if (only.items?.enum) return { kind: 'choices', choices: only.items.enum };
      return only.items?.type === 'string' ? { kind: 'lines' } : { kind: 'json' };
    default:
      return workflowsOf(only) ?? { kind: 'json' };
  }
}

function textOf({ enum: choices, maxLength }: Schema, isNullable: boolean): SettingControl {
  if (choices) return { kind: 'choice', choices, isNullable };
  return {
    kind: 'text',
    isLong: (maxLength ?? 0) > shortCharactersMax,
    charactersMax: maxLength ?? null,
  };
}

/** Null for what is no collection of workflows. */
function workflowsOf({ additionalProperties: entry }: Schema): SettingControl | null {
  if (typeof entry !== 'object' || !entry.properties) return null;
  const { workflow, slots, ...properties } = entry.properties;
  if (!workflow || !slots?.properties) return null;
  return {
    kind: 'workflows',
    // Each reference image has a slot of its own.
    slots: Object.keys(slots.properties).filter((name) => name !== 'images'),
    own: readFields({ properties }),
  };
}

function typedOf({ control, fallback }: SettingField, stored: unknown): SettingDraft[string] {
  const value = stored === undefined ? fallback : stored;
  switch (control.kind) {
    case 'switch':
      return value === true;
    case 'choices':
      return Array.isArray(value) ? value.map(String) : [];
    case 'lines':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'json':
    case 'workflows':
      return isEmpty(value) ? '' : JSON.stringify(value, null, 2);
    case 'choice':
    case 'number':
    case 'text':
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }
}

function problemOf(
  control: SettingControl,
  typed: SettingDraft[string] | undefined,
): DraftProblem | null {
  if (typeof typed !== 'string' || typed.trim() === '') return null;
  if (control.kind === 'json' || control.kind === 'workflows')
    return isJsonObject(typed) ? null : 'json';
  if (control.kind !== 'number') return null;
  const { isInteger, min, max } = control;
  const number = Number(typed);
  const isGood =
    (isInteger ? Number.isSafeInteger(number) : Number.isFinite(number)) &&
    number >= (min ?? -Infinity) &&
    number <= (max ?? Infinity);
  return isGood ? null : 'number';
}

/** Undefined for what is left to the default. */
function valueOf(
  { control, empty }: SettingField,
  typed: SettingDraft[string] | undefined,
): unknown {
  if (typed === undefined || typeof typed === 'boolean') return typed;
  if (typeof typed === 'object') return typed.length === 0 ? empty : typed;
  if (typed.trim() === '') return empty;
  switch (control.kind) {
    case 'number':
      return Number(typed);
    case 'json':
    case 'workflows':
      return JSON.parse(typed) as unknown;
    case 'lines':
      return typed.split('\n').flatMap((line) => line.trim() || []);
    case 'choice':
    case 'choices':
    case 'switch':
      return typed;
    case 'text':
      return control.isLong ? typed : typed.trim();
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function valueAt(settings: Settings, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      settings,
    );
}

function put(settings: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    settings[first] = value;
    return;
  }
  const group = (settings[first] ?? {}) as Record<string, unknown>;
  put(group, rest.join('.'), value);
  settings[first] = group;
}
