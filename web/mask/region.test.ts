import { describe, expect, it } from 'vitest';
import { type RegionFields, readRegion } from './region.ts';

const picture = { width: 200, height: 100 };

function fields(x: string, y: string, width: string, height: string): RegionFields {
  return { x, y, width, height };
}

describe('a region that is typed', () => {
  it.each([
    ['in per cent', fields('25', '10', '50', '20'), 'percent', [50, 10, 100, 20]],
    ['in pixels', fields('25', '10', '50', '20'), 'px', [25, 10, 50, 20]],
    ['with parts, and a comma', fields('0,5', '0.5', '1,5', '99'), 'percent', [1, 0.5, 3, 99]],
    ['that reaches beyond the picture', fields('-10', '90', '30', '50'), 'px', [0, 90, 20, 10]],
  ] as const)('%s', (_, typed, unit, [x, y, width, height]) => {
    expect(readRegion(typed, unit, picture)).toEqual({ kind: 'region', x, y, width, height });
  });

  it.each([
    ['no number', fields('a', '0', '1', '1'), 'x', 'number'],
    ['nothing', fields('0', ' ', '1', '1'), 'y', 'number'],
    ['two numbers', fields('0', '0', '1 2', '1'), 'width', 'number'],
    ['an endless number', fields('0', '0', '1', '1e9'), 'height', 'number'],
    ['no width', fields('0', '0', '0', '1'), 'width', 'empty'],
    ['a height below zero', fields('0', '0', '1', '-1'), 'height', 'empty'],
    ['a place right of the picture', fields('200', '0', '9', '9'), 'x', 'outside'],
    ['a place above the picture', fields('0', '-9', '9', '9'), 'y', 'outside'],
  ] as const)('is refused with %s', (_, typed, field, why) => {
    expect(readRegion(typed, 'px', picture)).toEqual({ kind: 'invalid', field, why });
  });
});
