import { expect, it } from 'vitest';
import { Enablings } from './enablings.ts';

it('counts each time that something disabled is found enabled', () => {
  const enablings = new Enablings();
  const look = (enabled: boolean) => enablings.note([{ id: 'upk_1', enabled }]);
  for (const enabled of [true, true]) look(enabled);
  expect(enablings.timesOf('upk_1')).toBe(0);
  for (const enabled of [false, false, true]) look(enabled);
  expect(enablings.timesOf('upk_1')).toBe(1);
  for (const enabled of [false, true]) look(enabled);
  expect(enablings.timesOf('upk_1')).toBe(2);
});

it('counts what was disabled from the start', () => {
  const enablings = new Enablings();
  enablings.note([{ id: 'upk_1', enabled: false }]);
  enablings.note([{ id: 'upk_1', enabled: true }]);
  expect(enablings.timesOf('upk_1')).toBe(1);
});

it('forgets what is gone', () => {
  const enablings = new Enablings();
  for (const enabled of [false, true]) enablings.note([{ id: 'upk_1', enabled }]);
  enablings.note([]);
  expect(enablings.timesOf('upk_1')).toBe(0);
});
