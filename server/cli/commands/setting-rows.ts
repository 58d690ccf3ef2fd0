/** The settings of a kind as a table, read from their JSON schema: what a form is drawn from too. */
import { settingsSchemaOf } from '../../flows/upstreams/describe-kinds.ts';
import type { AdapterKind } from '../../upstreams/adapter-kind.ts';

export interface SettingRow {
  /** As `--set` takes it: `steps.low`, `workflows.<name>.output`. */
  name: string;
  type: string;
  /** As JSON; null where there is none. */
  default: string | null;
  title: string | null;
  description: string | null;
}

/** What a schema says, of which each part may be missing. */
interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
}

const depthMax = 4;

export function settingRowsOf(kind: AdapterKind): readonly SettingRow[] {
  // JSON Schema is wider than Schema; what is not in it is not shown.
  const { properties = {} } = settingsSchemaOf(kind) as Schema;
  return rowsOf(properties, []);
}

function rowsOf(
  properties: Readonly<Record<string, Schema>>,
  path: readonly string[],
): readonly SettingRow[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const here = [...path, name];
    const row: SettingRow = {
      name: here.join('.'),
      type: describeType(schema),
      default: schema.default === undefined ? null : JSON.stringify(schema.default),
      title: schema.title ?? null,
      description: schema.description ?? null,
    };
    return here.length < depthMax ? [row, ...rowsWithin(schema, here)] : [row];
  });
}

function rowsWithin(schema: Schema, path: readonly string[]): readonly SettingRow[] {
  const { properties, additionalProperties: entry } = schema;
  if (properties) return rowsOf(properties, path);
  const ofEntry = typeof entry === 'object' ? entry.properties : undefined;
  return ofEntry ? rowsOf(ofEntry, [...path, '<name>']) : [];
}

function describeType(schema: Schema): string {
  if (schema.enum) return schema.enum.map(show).join(' | ');
  if (schema.const !== undefined) return show(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => describeType({ ...schema, type })).join(' | ');
  }
  if (schema.type === 'array') {
    const entry = describeType(schema.items ?? {});
    return entry.includes(' | ') ? `list of (${entry})` : `list of ${entry}`;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return schema.type + describeBounds(schema);
  }
  if (typeof schema.additionalProperties === 'object' && !schema.properties) {
    return `${describeType(schema.additionalProperties)} by name`;
  }
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

function describeBounds({ minimum, maximum }: Schema): string {
  // The bounds that every whole number has say nothing.
  const hasMin = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  const hasMax = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (hasMin && hasMax) return ` ${minimum} to ${maximum}`;
  if (hasMin) return ` from ${minimum}`;
  return hasMax ? ` to ${maximum}` : '';
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
