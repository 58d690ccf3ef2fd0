import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { patience } from '../../../test/support/patience.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/logger.ts';
import { isAlive, Lease } from './keep-lease.ts';

const renewMs = 5_000;

it.each([
  ['is alive', 'EPERM', true],
  ['is gone', 'ESRCH', false],
])('a process %s of which the system says %s', (_what, code, expected) => {
  const asked = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  expect(isAlive({ id: 'proc_other', host: '', pid: 1, startedAt: 0 })).toBe(expected);
  asked.mockRestore();
});

it('tells of a sweep that failed, but not of one that its own stop cut off', async () => {
  const { database } = await openEmbedded();
  const clock = new ManualClock(systemClock.now());
  const lines: string[] = [];
  const lease = new Lease({
    ...{ db: database, renewals: database, clock, leaseMs: 12 * renewMs, renewMs },
    log: createLogger('error', { write: (line) => lines.push(line) }),
    isKnown: () => false,
    onSwept: () => {},
  });
  await lease.start();
  const transaction = vi.spyOn(database, 'transaction');
  transaction.mockRejectedValueOnce(new Error('refused'));
  clock.advance(renewMs);
  await vi.waitFor(() => expect(lines.join()).toContain('sweep failed'), patience);

  const sweep = Promise.withResolvers<never>();
  transaction.mockClear().mockReturnValueOnce(sweep.promise);
  await clock.untilSleeping();
  clock.advance(renewMs);
  await vi.waitFor(() => expect(transaction).toHaveBeenCalled(), patience);
  await lease.stop();
  sweep.reject(new Error('driver has already been destroyed'));
  await setImmediate();
  expect(lines).toHaveLength(1);
});
