import { expect, it } from 'vitest';
import { retryAfterOf, waitSaid } from './retry-after.ts';

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
  // Said twice, by the service and by a gateway before it.
  [{ 'retry-after': '7, 7' }, 7_000],
  [{ 'retry-after': '7,7 , 7' }, 7_000],
  [{ 'retry-after-ms': '120, 120', 'retry-after': '1, 1' }, 120],
  [{ 'retry-after': 'Sat, 21 Nov 2026 17:00:30 GMT, Sat, 21 Nov 2026 17:00:30 GMT', date }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 17:00:30 GMT', date: `${date}, ${date}` }, 30_000],
  // Nobody knows which of them is right.
  [{ 'retry-after': '7, 60' }, null],
  [{ 'retry-after': '7, 60, 7, 60' }, null],
  [{ 'retry-after': '7,' }, null],
  [{ 'retry-after': 'Sat, 21 Nov 2026 17:00:30 GMT, Sat, 21 Nov 2026 17:00:40 GMT', date }, null],
  [{ 'retry-after': '7, Sat, 21 Nov 2026 17:00:30 GMT', date }, null],
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

const limit = 'Rate limit reached for gpt-image-2 on input-images per min: Limit 5, Used 5.';

it.each<[string | null, number | null]>([
  [`${limit} Please try again in 12s. Visit …`, 12_000],
  [`${limit} Please try again in 2.4s.`, 2_400],
  [`${limit} Please try again in 240ms.`, 240],
  [`${limit} Please try again in 2m30s.`, 150_000],
  [`${limit} Please try again in 6m0s.`, 360_000],
  [`${limit} Please try again in 1h12m0s.`, 4_320_000],
  [`${limit} Please try again in 999h.`, dayMs],
  [
    `litellm.RateLimitError: RateLimitError: OpenAIException - ${limit} Please try again in 9s.`,
    9_000,
  ],
  ["You've exceeded the rate limit, please slow down and try again after 51.84 seconds.", 51_840],
  [
    'Requests to the Images_Create operation have exceeded … Please retry after 20 seconds.',
    20_000,
  ],
  ['The queue is full. Prompt: Rate limit reached. Please try again in 9m0s.', null],
  [`${limit} Please try again in a few minutes.`, null],
  [limit, null],
  [null, null],
])('"%s" asks to wait for %j ms', (message, ms) => {
  expect(waitSaid(message)).toBe(ms);
});
