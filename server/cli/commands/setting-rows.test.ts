import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AdapterKind } from '../../upstreams/adapter-kind.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import { settingRowsOf } from './setting-rows.ts';

it('shows name, type, default, title and description of a setting', () => {
  const steps = z.int().min(1).max(50).default(20).meta({ title: 'Steps', description: 'More.' });
  expect(rowsOf({ steps })).toEqual([
    {
      name: 'steps',
      type: 'integer 1 to 50',
      default: '20',
      title: 'Steps',
      description: 'More.',
    },
  ]);
});

it.each<[string, z.ZodType]>([
  ['string', z.string()],
  ['boolean', z.boolean()],
  ['integer', z.int()],
  ['integer from 0', z.int().min(0)],
  ['integer to 7', z.int().max(7)],
  ['number 0 to 1', z.number().min(0).max(1)],
  ['on | off', z.enum(['on', 'off'])],
  ['string | null', z.string().nullable()],
  ['png', z.literal('png')],
  ['list of string', z.array(z.string())],
  ['list of (png | webp)', z.array(z.enum(['png', 'webp']))],
  ['string by name', z.record(z.string(), z.string())],
  ['anything', z.unknown()],
])('calls a type %s', (type, schema) => {
  expect(rowsOf({ it: schema })).toMatchObject([{ name: 'it', type }]);
});

it('shows what is within objects by the names that --set takes', () => {
  const workflow = z.object({ output: z.int(), steps: z.object({ low: z.int() }) });
  const rows = rowsOf({
    size: z.object({ width: z.int() }),
    workflows: z.record(z.string(), workflow),
  });
  expect(rows.map(({ name }) => name)).toEqual([
    'size',
    'size.width',
    'workflows',
    'workflows.<name>.output',
    'workflows.<name>.steps',
    'workflows.<name>.steps.low',
  ]);
});

it('does not follow a schema without end', () => {
  const deep = z.object({ b: z.object({ c: z.object({ d: z.object({ e: z.int() }) }) }) });
  expect(rowsOf({ a: deep }).map(({ name }) => name)).toEqual(['a', 'a.b', 'a.b.c', 'a.b.c.d']);
});

describe.each([...adapterKinds.values()])('the kind $kind', (kind) => {
  it('explains each of its settings', () => {
    const own = settingRowsOf(kind).filter(({ name }) => !name.includes('.'));
    expect(own.length).toBeGreaterThan(0);
    for (const row of own) {
      expect(row.title, row.name).toBeTruthy();
      expect(row.default, row.name).not.toBeNull();
    }
  });

  it('is described in sentences, and so are its settings', () => {
    const settings = settingRowsOf(kind).map(({ description }) => description);
    for (const description of [kind.description, ...settings]) {
      expect(description ?? 'None.').toMatch(/\.$/);
    }
  });
});

function rowsOf(shape: z.ZodRawShape) {
  // Of a kind, only the settings are looked at.
  return settingRowsOf({ settings: z.object(shape) } as unknown as AdapterKind);
}
