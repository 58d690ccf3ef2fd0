import { expect, it } from 'vitest';
import { traceIdIn } from './trace-id-in.ts';

const traceId = 'tr_01m8g70hzac4q3zxvmgqn8q5ps';

it.each([
  traceId,
  ` ${traceId}\n`,
  `Trace ID: ${traceId}.`,
  `"${traceId}"`,
  traceId.toUpperCase(),
  // Of a support text, whose lines a field of one line puts together.
  `${traceId}2026-11-28T07:35:59.000+01:00gen-image-2upstream_error`,
  `https://images.example.com/t/${traceId}?x=1`,
])('finds the trace ID in %j', (text) => {
  expect(traceIdIn(text)).toBe(traceId);
});

it.each(['', 'tr_', traceId.slice(0, -1), 'gen-image-2'])('finds none in %j', (text) => {
  expect(traceIdIn(text)).toBeNull();
});
