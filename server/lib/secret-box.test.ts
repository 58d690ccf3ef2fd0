import { expect, it } from 'vitest';
import { OperatorError } from './operator-error.ts';
import { SecretBox } from './secret-box.ts';

const box = new SecretBox(Buffer.alloc(32, 1));
const otherBox = new SecretBox(Buffer.alloc(32, 2));

it('opens what it sealed', () => {
  const sealed = box.seal('key-of-the-upstream ✓', 'up_1');
  expect(sealed).not.toContain('upstream');
  expect(box.open(sealed, 'up_1')).toBe('key-of-the-upstream ✓');
});

it('seals the same secret differently each time', () => {
  expect(box.seal('same', 'up_1')).not.toBe(box.seal('same', 'up_1'));
});

it('says that another key sealed it, and which', () => {
  const sealed = box.seal('secret', 'up_1');
  expect(() => otherBox.open(sealed, 'up_1')).toThrow(
    `it was sealed with another secret key (${box.keyId}; this process has ${otherBox.keyId})`,
  );
});

it('knows what it sealed, damaged or not', () => {
  const sealed = box.seal('secret', 'up_1');
  expect(box.hasSealed(sealed)).toBe(true);
  expect(box.hasSealed(`${sealed}x`)).toBe(true);
  expect(otherBox.hasSealed(sealed)).toBe(false);
  expect(box.hasSealed('')).toBe(false);
});

it('does not open in another row', () => {
  const sealed = box.seal('secret', 'up_1');
  expect(() => box.open(sealed, 'up_2')).toThrow('was damaged or belongs to another row');
});

it.each([0, 12, 28])('does not open when byte %i is damaged', (at) => {
  const [version, keyId, body = ''] = box.seal('secret', 'up_1').split('.');
  const bytes = Buffer.from(body, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  const damaged = [version, keyId, bytes.toString('base64url')].join('.');
  expect(() => box.open(damaged, 'up_1')).toThrow('was damaged');
});

it.each(['', 'v1', 'v2.x.y', 'plain text'])('refuses %j, which is no sealed text', (text) => {
  expect(() => box.open(text, 'up_1')).toThrow(OperatorError);
});

it('marks a text by what nobody makes who has not the key', () => {
  const mark = box.mark('a fox');
  expect(mark).not.toContain('fox');
  expect(box.isMarkOf(mark, 'a fox')).toBe(true);
  expect(box.isMarkOf(mark, 'a hare')).toBe(false);
  expect(otherBox.mark('a fox').split('.').at(-1)).not.toBe(mark.split('.').at(-1));
});

it.each(['', 'a'.repeat(64)])('cannot tell what another key marked, or none: %j', (unknown) => {
  for (const mark of [otherBox.mark('a fox'), unknown]) {
    expect(box.isMarkOf(mark, 'a fox')).toBeNull();
  }
});

it('refuses a text cut short', () => {
  const sealed = box.seal('secret', 'up_1');
  const start = `v1.${box.keyId}.`;
  expect(() => box.open(sealed.slice(0, start.length + 20), 'up_1')).toThrow('was damaged');
});
