import { describe, expect, it } from 'vitest';
import { makeId } from '../lib/ids.ts';
import { isKept, placeOf, readTraceparent } from './trace-ids.ts';

describe('the place of a request', () => {
  it.each([
    ['tr_00000000000000000000000001', '00000000000000000000000000000001'],
    ['tr_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffffffffffffffffffffffffffff'],
    ['tr_01kdvdna00r1hnf218w1804dn2', '019b76daa800c063578828e0500236a2'],
  ])('is its trace ID, bit by bit: %s', (traceId, hex) => {
    expect(placeOf(traceId)).toEqual({ traceId: hex, spanId: hex.slice(16) });
  });

  it('is another for every request', () => {
    const places = Array.from({ length: 1_000 }, () => placeOf(makeId('tr', 1_767_225_600_000)));
    expect(new Set(places.map(({ traceId }) => traceId)).size).toBe(1_000);
    expect(new Set(places.map(({ spanId }) => spanId)).size).toBe(1_000);
  });
});

describe('a traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const spanId = '00f067aa0ba902b7';

  it.each([
    `00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-00`,
    `cc-${traceId}-${spanId}-01-what-will-be`,
  ])('is read: %s', (header) => {
    expect(readTraceparent(header)).toEqual({ traceId, spanId });
  });

  it.each([
    [null],
    [''],
    ['anything'],
    [`00-${traceId}-${spanId}`],
    [`00-${traceId}-${spanId}-01-more`],
    [`ff-${traceId}-${spanId}-01`],
    [`00-${traceId.toUpperCase()}-${spanId}-01`],
    [`00-${'0'.repeat(32)}-${spanId}-01`],
    [`00-${traceId}-${'0'.repeat(16)}-01`],
    [`00-${traceId}0-${spanId}-01`],
    [`00-${traceId}-${spanId}-01\n`],
  ])('is not read when it is none: %j', (header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});

describe('the share of traces that are kept', () => {
  it('is what was asked for', () => {
    const places = Array.from({ length: 4_000 }, () => placeOf(makeId('tr', Math.random() * 1e12)));
    const keptOf = (percent: number) => places.filter((place) => isKept(place, percent)).length;
    expect(keptOf(0)).toBe(0);
    expect(keptOf(100)).toBe(4_000);
    expect(keptOf(25)).toBeGreaterThan(800);
    expect(keptOf(25)).toBeLessThan(1_200);
  });

  it('is the same wherever it is asked', () => {
    const place = placeOf(makeId('tr', 0));
    const lowest = [...Array(101).keys()].find((percent) => isKept(place, percent));
    expect(isKept(place, (lowest ?? 0) - 1)).toBe(false);
    expect(isKept(place, 100)).toBe(true);
  });
});
