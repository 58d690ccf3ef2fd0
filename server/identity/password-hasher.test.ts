import { expect, test } from 'vitest';
import { thrownBy } from '../../test/support/thrown-by.ts';
import { hasherLimits, PasswordHasher } from './password-hasher.ts';

const password = 'correct horse battery';

test('a password is right for its own hash alone, which is argon2id with a salt', async () => {
  const hasher = new PasswordHasher();
  const [one, two] = [await hasher.hash(password), await hasher.hash(password)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await hasher.verify(one, password)).toBe(true);
  expect(await hasher.verify(one, `${password} `)).toBe(false);
  expect(hasher.isOutdated(one)).toBe(false);
});

test('an account without password is checked against a hash of the same cost, and refused', async () => {
  const hasher = new PasswordHasher();
  expect(await hasher.verify(null, password)).toBe(false);
  // Even by the password that it is the hash of.
  expect(await hasher.verify(null, 'nobody has this password')).toBe(false);
});

test('a long password counts to its last character', async () => {
  const hasher = new PasswordHasher();
  const long = 'x'.repeat(199);
  const hash = await hasher.hash(`${long}a`);
  expect(await hasher.verify(hash, `${long}b`)).toBe(false);
});

test.each([
  ['m=19456,t=2,p=1', false],
  ['m=19455,t=2,p=1', true],
  ['m=19456,t=3,p=1', true],
  ['m=19456,t=2,p=2', true],
])('a hash at the cost %s is outdated: %s', (cost, expected) => {
  const hash = `$argon2id$v=19$${cost}$c29tZXNhbHQ$WvbnGbGnGNwvUwmLZEFpnw`;
  expect(new PasswordHasher().isOutdated(hash)).toBe(expected);
});

test('so many wait their turn, and one more is told to come back', async () => {
  const hasher = new PasswordHasher();
  const { atOnceMax, waitingMax, retryAfterSeconds } = hasherLimits;
  const cheap = '$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$WvbnGbGnGNwvUwmLZEFpnw';
  // The second time, every turn was given back, and no more than that.
  for (let time = 0; time < 2; time++) {
    const all = Array.from({ length: atOnceMax + waitingMax }, () => hasher.verify(cheap, 'x'));
    expect(await thrownBy(hasher.verify(cheap, 'x'))).toMatchObject({
      code: 'rate_limit',
      retryAfterSeconds,
    });
    expect(await Promise.all(all)).toEqual(Array(atOnceMax + waitingMax).fill(false));
  }
});

test('a turn is given back when the work fails', async () => {
  const hasher = new PasswordHasher();
  for (let i = 0; i <= hasherLimits.atOnceMax; i++) {
    expect(await thrownBy(hasher.verify('no hash at all', 'x'))).toBeInstanceOf(Error);
  }
  expect(await hasher.verify(null, 'x')).toBe(false);
});
