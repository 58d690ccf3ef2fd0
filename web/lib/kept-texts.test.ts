import { expect, it } from 'vitest';
import { keptIn } from './kept-texts.ts';

/** As much of a browser's storage as is used. */
function storageOf({ charactersMax }: { charactersMax: number }): Storage {
  const kept = new Map<string, string>();
  const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => {
      if (text.length > charactersMax) throw new DOMException('full', 'QuotaExceededError');
      kept.set(name, text);
    },
    removeItem: (name) => void kept.delete(name),
  };
  // What is missing is not asked of it.
  return storage as Storage;
}

const roomy = storageOf({ charactersMax: 100 });
const full = storageOf({ charactersMax: 2 });

it.each([
  { browser: 'that keeps them', find: () => roomy },
  { browser: 'without room for them', find: () => full },
  { browser: 'without a storage', find: () => null },
  {
    browser: 'that forbids it',
    find: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  },
])('texts are there until they are taken away, in a browser $browser', ({ find }) => {
  const texts = keptIn(find);
  expect(texts.read('theme')).toBeNull();
  texts.write('theme', 'dark');
  expect(texts.read('theme')).toBe('dark');
  texts.write('theme', 'no');
  expect(texts.read('theme')).toBe('no');
  texts.write('theme', 'light');
  expect(texts.read('theme')).toBe('light');
  texts.write('theme', null);
  expect(texts.read('theme')).toBeNull();
});

it('what was kept before does not come back after something for which there was no room', () => {
  const storage = storageOf({ charactersMax: 4 });
  keptIn(() => storage).write('theme', 'dark');
  const texts = keptIn(() => storage);
  texts.write('theme', 'light');
  expect(texts.read('theme')).toBe('light');
  expect(keptIn(() => storage).read('theme')).toBeNull();
});
