import { expect, test } from 'vitest';
import { Roster } from './roster.ts';

test('knows who is there by ID', () => {
  const roster = new Roster<string>();
  roster.set('a', 'Ada');
  roster.set('b', 'Bob');
  roster.set('a', 'Ann');
  expect(roster.size).toBe(2);
  expect(roster.get('a')).toBe('Ann');
  expect(roster.values()).toEqual(['Ann', 'Bob']);
});

test('says whether who leaves was there', () => {
  const roster = new Roster<string>();
  roster.set('ada', 'Ada');
  expect(roster.delete('ada')).toBe(true);
  expect(roster.delete('ada')).toBe(false);
  expect([roster.size, roster.has('ada'), roster.get('ada')]).toEqual([0, false, undefined]);
});

test('knows nobody by the names that every object has', () => {
  const roster = new Roster<string>();
  for (const name of ['constructor', 'toString', '__proto__']) {
    expect([roster.has(name), roster.get(name), roster.delete(name)]).toEqual([
      false,
      undefined,
      false,
    ]);
    roster.set(name, name);
    expect(roster.get(name)).toBe(name);
  }
  expect(roster.values()).toEqual(['constructor', 'toString', '__proto__']);
});

test('those who come and go meanwhile do not change a list of who is there', () => {
  const roster = new Roster<string>();
  roster.set('ada', 'Ada');
  roster.set('bob', 'Bob');
  const seen: string[] = [];
  for (const member of roster.values()) {
    seen.push(member);
    roster.delete('bob');
    roster.set('cy', 'Cy');
  }
  expect(seen).toEqual(['Ada', 'Bob']);
  expect(roster.values()).toEqual(['Ada', 'Cy']);
});
