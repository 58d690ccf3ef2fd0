import { expect, it } from 'vitest';
import { healthOf } from './read-upstreams.ts';

it.each([
  ['closed', 'healthy'],
  ['open', 'failing'],
  ['half_open', 'failing'],
] as const)(
  'an upstream whose breaker is %s and that lists its models is %s',
  (breaker, health) => {
    const seen = {
      check: {
        upstreamId: 'up_1',
        fault: null,
        status: 200,
        modelsListed: 3,
        checkedAt: 0,
        tookMs: 1,
        failures: 0,
        failingSince: null,
      },
      lane: { breaker, running: 0, waiting: 0 },
      stats: null,
    };
    expect(healthOf({ enabled: true, disabledReason: null }, [], seen)).toBe(health);
  },
);
