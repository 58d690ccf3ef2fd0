import { expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { ReportRounds } from './report-rounds.ts';

it('gathers a report of each worker', async () => {
  const rounds = new ReportRounds(new ManualClock());
  const reports = await rounds.gather([1, 2], (worker, round) =>
    rounds.hear(worker, { round, report: `of ${worker}` }),
  );
  expect(reports).toEqual(['of 1', 'of 2']);
});

it('keeps rounds apart, and takes one report of each worker', async () => {
  const rounds = new ReportRounds(new ManualClock());
  const asked: number[] = [];
  const first = rounds.gather([1, 2], (_worker, round) => asked.push(round));
  const second = rounds.gather([1], (_worker, round) => asked.push(round));
  const [one = 0, , two = 0] = asked;
  rounds.hear(1, { round: two, report: 'second' });
  rounds.hear(1, { round: one, report: 'first' });
  rounds.hear(1, { round: one, report: 'again' });
  rounds.hear(2, { round: one, report: 'other' });
  expect(await first).toEqual(['first', 'other']);
  expect(await second).toEqual(['second']);
  expect(rounds.size).toBe(0);
});

it('goes on without a worker that died, and without one that stands still', async () => {
  const clock = new ManualClock();
  const rounds = new ReportRounds(clock);
  const withDead = rounds.gather([1, 2], (worker, round) => {
    if (worker === 1) rounds.hear(1, { round, report: 'alive' });
  });
  rounds.forget(2);
  expect(await withDead).toEqual(['alive']);
  expect(clock.sleepingFor(2_000)).toBe(0);
  const withFrozen = rounds.gather([1, 2], (worker, round) => {
    if (worker === 1) rounds.hear(1, { round, report: 'awake' });
  });
  clock.advance(1_999);
  clock.advance(1);
  expect(await withFrozen).toEqual(['awake']);
  expect(rounds.size).toBe(0);
});
