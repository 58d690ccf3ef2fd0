import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { must } from '../lib/assert.ts';
import { isFileLocked, takeFileLock } from './file-lock.ts';

function lockFile(): string {
  const folder = makeScratchFolder('file-lock');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock');
}

test('a lock is had by one at a time, and leaves no file behind', () => {
  const file = lockFile();
  expect(isFileLocked(file)).toBe(false);
  const giveBack = must(takeFileLock(file), 'the lock');
  expect(isFileLocked(file)).toBe(true);
  expect(takeFileLock(file)).toBeNull();
  giveBack();
  expect(existsSync(file)).toBe(false);
});

test('a lock that is given back twice stays with who has it by then', () => {
  const file = lockFile();
  const first = must(takeFileLock(file), 'the lock');
  first();
  const second = must(takeFileLock(file), 'the lock');
  first();
  expect(isFileLocked(file)).toBe(true);
  second();
  expect(isFileLocked(file)).toBe(false);
});

test('a lock is not had on a file that was given back, and made anew, since it was opened', () => {
  const file = lockFile();
  const first = must(takeFileLock(file), 'the lock');
  let second: (() => void) | null = null;
  // It has the file open, and has not asked for anything yet.
  const opened = vi.spyOn(Sqlite.prototype, 'pragma').mockImplementationOnce(function (
    this: Sqlite.Database,
    text,
  ) {
    first();
    second = takeFileLock(file);
    return this.pragma(text);
  });
  onTestFinished(() => opened.mockRestore());
  expect(takeFileLock(file)).toBeNull();
  must<() => void>(second, 'the lock')();
  expect(existsSync(file)).toBe(false);
});
