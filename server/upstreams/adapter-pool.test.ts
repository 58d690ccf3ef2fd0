import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineKind } from './adapter-kind.ts';
import { AdapterPool, type PooledUpstream } from './adapter-pool.ts';

it('keeps the newest adapter when a request still goes by the configuration before', () => {
  const { pool, built } = open();
  pool.get(upstream('1'));
  const newest = pool.get(upstream('2'));
  const before = pool.get(upstream('1'));
  expect(pool.get(upstream('2'))).toBe(newest);
  expect(before).not.toBe(newest);
  expect(built()).toBe(2);
});

it('closes an adapter that two configurations came after', async () => {
  const { pool, closed } = open();
  for (const revision of ['1', '2']) pool.get(upstream(revision));
  expect(closed).toEqual([]);
  pool.get(upstream('3'));
  await expect.poll(() => closed).toEqual([1]);
  await pool.close();
  expect(closed).toEqual([1, 2, 3]);
});

it('builds anew what a request still goes by that was closed', async () => {
  const { pool, built } = open();
  const first = pool.get(upstream('1'));
  for (const revision of ['2', '3']) pool.get(upstream(revision));
  expect(pool.get(upstream('1'))).not.toBe(first);
  expect(built()).toBe(4);
});

it('closes at once what is configured otherwise or not at all any more, and keeps the rest', async () => {
  const { pool, closed, built } = open();
  const other = { ...upstream('1'), id: 'up_2' };
  pool.get(upstream('1'));
  const kept = pool.get(other);
  pool.keepOnly([upstream('2'), other]);
  await expect.poll(() => closed).toEqual([1]);
  expect(pool.get(other)).toBe(kept);
  // A request still goes by it, until the next change.
  pool.get(upstream('1'));
  pool.keepOnly([other]);
  await expect.poll(() => closed).toEqual([1, 3]);
  expect(built()).toBe(3);
});

it('has nothing to close where the configuration before did not work', () => {
  const { pool } = open();
  const wrong = { ...upstream('1'), baseUrl: 'https://host.example' };
  expect(pool.get(wrong)).toMatchObject({ kind: 'broken', reason: expect.any(String) });
  pool.get(upstream('2'));
  expect(pool.get(upstream('3')).kind).toBe('ready');
});

it('can be closed with an upstream whose configuration does not work', async () => {
  const { pool, closed } = open();
  pool.get(upstream('1'));
  expect(pool.get({ ...upstream('1'), id: 'up_2', kind: 'other' }).kind).toBe('broken');
  await pool.close();
  expect(closed).toEqual([1]);
});

function open() {
  const closed: number[] = [];
  let built = 0;
  const kind = defineKind({
    kind: 'counted',
    title: 'Counted',
    description: 'Counts its adapters',
    baseUrl: 'unused',
    credential: 'unused',
    credentialForm: '',
    settings: z.strictObject({}),
    presets: [],
    create: () => {
      const number = ++built;
      return {
        capabilities: () => expect.fail('nobody asks'),
        run: () => expect.fail('nobody asks'),
        listModels: async () => [],
        close: async () => void closed.push(number),
      };
    },
  });
  const pool = new AdapterPool(new Map([[kind.kind, kind]]), {
    onBroken: () => {},
    onCloseError: (error) => expect.fail(String(error)),
  });
  return { pool, closed, built: () => built };
}

function upstream(revision: string): PooledUpstream {
  return {
    id: 'up_1',
    name: 'studio',
    kind: 'counted',
    baseUrl: null,
    settings: {},
    proxy: null,
    limits: { firstByteMs: 1_000, idleMs: 1_000 },
    revision,
  };
}
