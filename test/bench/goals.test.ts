import { describe, expect, it } from 'vitest';
import { goals, judge, Results } from '../../bench/gateway/goals.ts';
import type { LoadResult } from '../../bench/gateway/results.ts';

const load: LoadResult = {
  kind: 'load',
  case: 's4m',
  gateway: 'nginx',
  requestsPerSecond: 300,
  cpuMsPerRequest: 2.8,
  cpuSecondsPerGigabyte: 0.7,
  requestsPerCpuSecond: 357,
  p50Ms: 50,
  p99Ms: 100,
  peakBytes: 58_000_000,
  busyShare: 0.8,
  foreign: 0,
  tries: 3,
};

describe.each(goals)('$measure', (goal) => {
  const beyond = goal.better === 'lower' ? 1.001 : 0.999;

  it('has a goal that is harder than its floor', () => {
    const [easier, harder] =
      goal.better === 'lower' ? [goal.floor, goal.goal] : [goal.goal, goal.floor];
    expect(harder).toBeLessThan(easier);
  });

  it('is judged on both sides of both', () => {
    expect(judge(goal, goal.goal)).toBe('goal met');
    expect(judge(goal, goal.goal * beyond)).toBe('floor met');
    expect(judge(goal, goal.floor)).toBe('floor met');
    expect(judge(goal, goal.floor * beyond)).toBe('missed');
  });

  it('is not judged when nothing was measured', () => {
    expect(judge(goal, goal.of(new Results([])))).toBe('not measured');
  });
});

it('compares with nginx of the same case', () => {
  const ours: LoadResult = { ...load, gateway: 'sqlite', cpuSecondsPerGigabyte: 1.4 };
  const results = new Results([load, { ...ours, case: 's1m' }, ours]);
  const goal = goals.find(({ measure }) => measure === 's4m: CPU per GB');
  expect(goal?.of(results)).toBeCloseTo(2, 10);
});
