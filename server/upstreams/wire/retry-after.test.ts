import { expect, it } from 'vitest';
import { retryAfterOf } from './retry-after.ts';

const date = 'Sat, 21 Nov 2026 17:00:00 GMT';
const dayMs = 24 * 3_600_000;

it.each<[Record<string, string>, number | null]>([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': ' 7 ' }, 7_000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after-ms': '120', 'retry-after': '1' }, 120],
  [{ 'retry-after-ms': 'soon', 'retry-after': '1' }, 1_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 17:00:30 GMT', date }, 30_000],
  [{ 'retry-after': 'Saturday, 21-Nov-26 17:00:30 GMT', date }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 16:59:59 GMT', date }, 0],
  [{ 'retry-after': 'Sun, 22 Nov 2026 17:00:00 GMT', date }, dayMs],
  [{ 'retry-after': 'Sun, 22 Nov 2026 17:00:01 GMT', date }, dayMs],
  [{ 'retry-after': '86400' }, dayMs],
  [{ 'retry-after': '86401' }, dayMs],
  [{ 'retry-after': '9'.repeat(400) }, dayMs],
  // Without the answer's own date there is nothing to compare with.
  [{ 'retry-after': 'Sat, 21 Nov 2026 17:00:30 GMT' }, null],
  [{ 'retry-after': 'Sat, nonsense', date }, null],
  [{ 'retry-after': '-1', date }, null],
  [{ 'retry-after': '1e3', date }, null],
  [{ 'retry-after': 'Infinity', date }, null],
  [{ 'retry-after': '', date }, null],
  [{}, null],
])('%j asks to wait for %j ms', (headers, ms) => {
  expect(retryAfterOf(headers)).toBe(ms);
});
