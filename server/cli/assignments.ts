/** Values on the command line: `name=value`, the value as JSON, as text, or from a file (`@file`). */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { UsageError } from './failure.ts';

export interface Assignment {
  name: string;
  value: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** Reads one more `name=value`, for an option that may be repeated. */
export function readAssignment(text: string, before: readonly Assignment[]): readonly Assignment[] {
  const [, name, value] = /^([^\s=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be name=value.');
  }
  return [
    ...before,
    { name, value: value.startsWith('@') ? readFile(value.slice(1)) : read(value) },
  ];
}

/** The values by name. */
export function valuesOf(assignments: readonly Assignment[]): Values {
  return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/** Sets what is assigned. A dot in a name leads into an object: `steps.low`. */
export function assignAll(target: Values, assignments: readonly Assignment[]): Values {
  let result = target;
  for (const { name, value } of assignments) result = assign(result, name.split('.'), value);
  return result;
}

/** Takes out what is named, as `assignAll` names it. */
export function removeAll(target: Values, names: readonly string[]): Values {
  let result = target;
  for (const name of names) result = remove(result, name.split('.'));
  return result;
}

function assign(target: Values, path: readonly string[], value: unknown): Values {
  const [first = '', ...rest] = path;
  if (first === '') throw new UsageError('a name has something on both sides of each dot');
  if (rest.length === 0) return { ...target, [first]: value };
  const inner = Object.hasOwn(target, first) ? target[first] : {};
  if (!isObject(inner)) throw new UsageError(`${first} is no object: nothing in it can be set`);
  return { ...target, [first]: assign(inner, rest, value) };
}

function remove(target: Values, path: readonly string[]): Values {
  const [first = '', ...rest] = path;
  if (!Object.hasOwn(target, first)) throw new UsageError(`there is no setting ${first} to remove`);
  const { [first]: inner, ...others } = target;
  if (rest.length === 0) return others;
  if (!isObject(inner)) throw new UsageError(`${first} is no object: nothing in it can be removed`);
  return { ...target, [first]: remove(inner, rest) };
}

function readFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(`The file cannot be read: ${reason}.`);
  }
  return file.endsWith('.json') ? readJson(file, text) : read(text.trim());
}

/** A file that says it is JSON and is not would otherwise be taken for a text. */
function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`${file} is not JSON.`);
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
