import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { decodeMasterKey, draftMasterKey, loadMasterKey } from './master-key.ts';

const key = Buffer.from('00112233445566778899aabbccddeefffedcba98765432100123456789abcdef', 'hex');

it.each([
  ['hex', key.toString('hex')],
  ['hex in capitals', key.toString('hex').toUpperCase()],
  ['base64', key.toString('base64')],
  ['base64 for addresses', key.toString('base64url')],
  ['base64 with a line end', `${key.toString('base64')}\n`],
])('reads a key in %s', (_form, text) => {
  expect(decodeMasterKey(text)?.equals(key)).toBe(true);
});

it.each([
  '',
  'password',
  key.toString('hex').slice(2),
  key.subarray(1).toString('base64'),
  `${key.toString('hex')}00`,
])('refuses %j, which is not 32 bytes', (text) => {
  expect(decodeMasterKey(text)).toBeNull();
});

it('takes the option and leaves the data folder alone', () => {
  const dataDir = folder();
  expect(loadMasterKey({ secretKey: key.toString('hex'), dataDir }).equals(key)).toBe(true);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('makes a file for its owner only at the first start, and reads it at the next', () => {
  const dataDir = join(folder(), 'data');
  const made = loadMasterKey({ secretKey: null, dataDir });
  expect(made).toHaveLength(32);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(loadMasterKey({ secretKey: null, dataDir }).equals(made)).toBe(true);
});

it('does not keep one that was made while another process made the file', () => {
  const dataDir = folder();
  const { keep } = draftMasterKey({ secretKey: null, dataDir });
  const theirs = loadMasterKey({ secretKey: null, dataDir });
  expect(keep).toThrow('was made by another process meanwhile: try again');
  expect(loadMasterKey({ secretKey: null, dataDir }).equals(theirs)).toBe(true);
});

it.skipIf(process.platform !== 'linux')('names the file that cannot be made', () => {
  // A folder that takes no files, not even from root.
  expect(() => loadMasterKey({ secretKey: null, dataDir: '/proc/self' })).toThrow(
    /^\/proc\/self\/secret\.key cannot be made: /,
  );
});

it('makes another key for another installation', () => {
  const one = loadMasterKey({ secretKey: null, dataDir: folder() });
  const other = loadMasterKey({ secretKey: null, dataDir: folder() });
  expect(one.equals(other)).toBe(false);
});

it.skipIf(process.platform === 'win32')('refuses a file that others can read', () => {
  const dataDir = folder();
  loadMasterKey({ secretKey: null, dataDir });
  chmodSync(join(dataDir, 'secret.key'), 0o640);
  expect(() => loadMasterKey({ secretKey: null, dataDir })).toThrow(
    /can be read by others: run chmod 600/,
  );
});

it('refuses a file that holds no key rather than make a new one', () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'secret.key'), 'oops', { mode: 0o600 });
  expect(() => loadMasterKey({ secretKey: null, dataDir })).toThrow(/must hold 32 random bytes/);
});

it('says that a link to the file leads nowhere', () => {
  const dataDir = folder();
  symlinkSync('/nowhere/secret.key', join(dataDir, 'secret.key'));
  expect(() => loadMasterKey({ secretKey: null, dataDir })).toThrow(
    /secret\.key is a link to \/nowhere\/secret\.key, which is not there: mount its disk/,
  );
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tintype-key-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}
