import { expect, it } from 'vitest';
import { readApiError } from './api-error.ts';

const page = '<html><h1>Bad Gateway</h1></html>';
const refusal = JSON.stringify({
  error: {
    message: 'Full.',
    type: 'server_error',
    code: 'unavailable',
    param: null,
    trace_id: 't',
  },
});

it.each([
  [502, page, 'unreachable'],
  [503, page, 'unreachable'],
  [504, '', 'unreachable'],
  [521, page, 'unreachable'],
  [530, page, 'unreachable'],
  [413, page, 'too_large'],
  [500, page, 'unreadable'],
  [503, refusal, 'unavailable'],
] as const)('takes %i with %s for %s', async (status, body, code) => {
  expect(await readApiError(new Response(body, { status }))).toMatchObject({ code });
});
