import { describe, expect, it } from 'vitest';
import { isWithin, parseIpAddress, parseIpRange } from './ip-address.ts';

describe('an address has one spelling', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', null],
    ['localhost', null],
    ['1.2.3', null],
    ['0x7f.1', null],
    ['010.0.0.1', null],
    ['1.2.3.4.5', null],
    ['256.1.1.1', null],
    ['1.2.3.4:80', null],
    [':::', null],
  ])('%j', (text, expected) => {
    expect(parseIpAddress(text)).toBe(expected);
  });
});

describe('a range has one spelling', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:db8::5/32', '2001:db8::/32'],
    ['2001:db8::5/128', '2001:db8::5'],
    ['10.0.0.0/33', null],
    ['2001:db8::/129', null],
    ['10.0.0.0/', null],
    ['10.0.0.0/8/8', null],
    ['10.0.0.0/-1', null],
    ['10.0.0/8', null],
    ['any', null],
  ])('%j', (text, expected) => {
    expect(parseIpRange(text)).toBe(expected);
  });
});

describe('an address is within', () => {
  it.each([
    ['10.255.255.255', ['10.0.0.0/8'], true],
    ['11.0.0.0', ['10.0.0.0/8'], false],
    ['203.0.113.7', ['198.51.100.1', '203.0.113.7'], true],
    ['203.0.113.8', ['203.0.113.7'], false],
    ['2001:db8::1', ['10.0.0.0/8', '2001:db8::/32'], true],
    // Ranges of one kind say nothing of addresses of the other.
    ['2001:db8::1', ['0.0.0.0/0'], false],
    ['10.0.0.1', [], false],
  ])('%s of %j: %s', (address, ranges, expected) => {
    expect(isWithin(address, ranges)).toBe(expected);
  });
});
