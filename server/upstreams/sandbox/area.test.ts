import { expect, test } from 'vitest';
import { boundsOfZeros, type Channel, roomInZeros } from './area.ts';

const bySurface = ({ width, height }: { width: number; height: number }) => width * height;

test('bounds every zero', () => {
  const channel = channelOf(['#######', '##.####', '#.#.###', '#######']);
  expect(boundsOfZeros(channel)).toEqual({ left: 1, top: 1, width: 3, height: 2 });
});

test('has no bounds without a zero', () => {
  expect(boundsOfZeros(channelOf(['##', '##']))).toBeNull();
});

test('finds the largest free rectangle', () => {
  const channel = channelOf(['########', '..######', '..######', '........']);
  const room = roomInZeros(channel, { left: 0, top: 0, width: 8, height: 4 }, bySurface);
  expect(room).toMatchObject({ left: 0, width: 8, height: 1 });
  expect(room.top).toBeCloseTo(3);
});

function channelOf(rows: readonly string[]): Channel {
  const bytes = [...rows.join('')].map((cell) => (cell === '.' ? 0 : 255));
  return { pixels: Buffer.from(bytes), width: rows[0]?.length ?? 0, height: rows.length };
}
