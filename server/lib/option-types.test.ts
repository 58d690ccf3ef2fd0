import { describe, expect, it } from 'vitest';
import { byteSize, duration, integer, list, oneOf, optional, text } from './option-types.ts';

describe('a time', () => {
  const type = duration({ min: '100ms', max: '1h' });

  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['10 s', 10_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
  ])('reads %s as %i milliseconds', (text, ms) => {
    expect(type.parse(text)).toBe(ms);
  });

  it.each(['10', '10S', '1.5s', '-1s', 's', '99ms', '61m', '1d'])('refuses %s', (text) => {
    expect(type.parse(text)).toBeNull();
  });

  it.each([
    [250, '250ms'],
    [90_000, '90s'],
    [600_000, '10m'],
    [7_200_000, '2h'],
  ])('writes %i in the largest unit that fits', (ms, text) => {
    expect(type.format(ms)).toBe(text);
  });

  it('writes nothing at all in a form it reads', () => {
    const fromZero = duration({ min: '0s', max: '1h' });
    expect(fromZero.parse(fromZero.format(0))).toBe(0);
  });

  it('takes 0 without a unit, where it may be nothing at all', () => {
    expect(duration({ min: '0s', max: '1h' }).parse('0')).toBe(0);
    expect(type.parse('0')).toBeNull();
  });
});

describe('a size', () => {
  const type = byteSize({ min: '1KiB', max: '1GiB' });

  it.each([
    ['1024B', 1_024],
    ['512KiB', 524_288],
    ['100MiB', 104_857_600],
    ['1GiB', 1_073_741_824],
  ])('reads %s as %i bytes', (text, bytes) => {
    expect(type.parse(text)).toBe(bytes);
  });

  it.each(['1024', '1MB', '1mib', '1KB', '2GiB', '1023B'])('refuses %s', (text) => {
    expect(type.parse(text)).toBeNull();
  });
});

it.each(['', '-1', '1.0', '1e3', '11', ' 5'])('reads no whole number from %j', (text) => {
  expect(integer({ min: 0, max: 10 }).parse(text)).toBeNull();
});

it('knows only the values it lists', () => {
  expect(oneOf(['info', 'debug']).parse('debug')).toBe('debug');
  expect(oneOf(['info', 'debug']).parse('DEBUG')).toBeNull();
});

it('refuses a list when one of its entries is wrong', () => {
  const hosts = list('hosts', (host) => /^[a-z.]+$/.test(host));
  expect(hosts.parse('a.lan, b.lan')).toEqual(['a.lan', 'b.lan']);
  expect(hosts.parse('a.lan,')).toBeNull();
});

it('writes an optional value that is missing as nothing', () => {
  const type = optional(text('a word', (word) => word !== ''));
  expect(type.format(null)).toBe('');
  expect(type.parse('word')).toBe('word');
});
