import type { LookupAddress } from 'node:dns';
import { expect, it } from 'vitest';
import { resolveByDns } from './guarded-address.ts';
import { shareLookups } from './shared-lookup.ts';

type Told = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Names that are being looked up, and who tells what was found. */
function open() {
  const asked: string[] = [];
  const tell: Told[] = [];
  const lookUp = shareLookups((host, _options, told) => {
    asked.push(host);
    tell.push(told);
  });
  const find = (host: string, options = {}) =>
    new Promise((resolve) => lookUp(host, options, (error, found) => resolve(error ?? found)));
  return { asked, tell, find };
}

const found = [{ address: '192.0.2.1', family: 4 }];

it('asks once for all who wait for a name, and tells each of them', async () => {
  const { asked, tell, find } = open();
  const waiting = [find('a.example'), find('a.example'), find('b.example')];
  expect(asked).toEqual(['a.example', 'b.example']);
  tell[0]?.(null, found);
  tell[1]?.(new Error('unknown'), []);
  expect(await Promise.all(waiting)).toEqual([found, found, new Error('unknown')]);
});

it('asks again when it was told, and for another kind of addresses', async () => {
  const { asked, tell, find } = open();
  const first = find('a.example', { family: 4 });
  const other = find('a.example', { family: 6 });
  tell[0]?.(null, found);
  await first;
  const again = find('a.example', { family: 4 });
  expect(asked).toHaveLength(3);
  for (const each of tell) each(null, found);
  expect(await Promise.all([other, again])).toEqual([found, found]);
});

it('addresses that answers lead to are looked up together as well', async () => {
  const [first, second] = await Promise.all([resolveByDns('localhost'), resolveByDns('localhost')]);
  expect(first).not.toEqual([]);
  expect(second).toBe(first);
});
