/** What a repeat is answered with, and how long it waits for that, where another process has its run or had it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { plainGeneration } from '../../../test/support/callers/image-requests.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addSpender, admissionOf, startProcess } from '../../../test/support/money/spending.ts';
import {
  caller,
  deadlineMs,
  pictureBytes,
  type RunBench,
} from '../../../test/support/requests/run-bench.ts';
import { SiblingBench } from '../../../test/support/requests/sibling-bench.ts';
import { ringLimits } from '../../cluster/switchboard.ts';
import { endWait } from '../../lib/abort.ts';
import { masterKeyBytes, SecretBox } from '../../lib/secret-box.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { admit } from '../money/hold-money.ts';
import { joinEarlierRun, repeatLimits, waitForKey } from './earlier-run.ts';
import type { ImageRun } from './runs/image-run.ts';
import { BorrowedRun } from './siblings/borrowed-run.ts';

const { handOverMs, keyPollMs, standsStillMs } = repeatLimits;
/** Of repeats, and of those that ask for a stream: shorter than that of the runs they wait for. */
const [repeatMs, streamMs] = [deadlineMs / 4, deadlineMs / 2];

forEachEngine((engine) => {
  let two: SiblingBench;
  let bench: RunBench;
  beforeEach(async () => {
    two = await SiblingBench.set(await engine.open());
    ({ bench } = two);
  });

  const isStill = Symbol('still waiting');

  /** The second process, which can reach the first or, as one on another machine, cannot. */
  const services = (reach: 'beside' | 'apart') => ({
    clock: bench.clock,
    db: bench.database,
    limits: { requestsMax: 10, deadlineMs: repeatMs, streamDeadlineMs: streamMs, attemptsMax: 1 },
    processId: 'the second',
    runs: two.borrowerRuns,
    secretBox: bench.secretBox,
    siblings: reach === 'beside' ? two.borrower : null,
  });
  type Changes = { idempotencyKey?: string | null; isRetry?: boolean; gone?: AbortSignal };
  const hints = (changes: Changes = {}) => ({
    idempotencyKey: 'k',
    isRetry: false,
    runCaller: caller(),
    gone: new AbortController().signal,
    cut: () => {},
    ...changes,
  });

  /** A repeat of the key `k` that comes to the second process; `look` lets it look again. */
  const repeat = (
    reach: 'beside' | 'apart',
    request = plainGeneration,
    gone = new AbortController().signal,
  ) => {
    const waiting = waitForKey(services(reach), bench.spender, request, hints({ gone }));
    const ended = waiting.catch((error: unknown) => error);
    return {
      ended,
      /** Lets time pass once it waits, and it is told whether that was enough. */
      after: async (ms: number) => {
        await Promise.race([ended, bench.clock.untilSleepingFor(keyPollMs)]);
        bench.clock.advance(ms);
        const waitsAgain = bench.clock.untilSleepingFor(keyPollMs).then(() => isStill);
        return await Promise.race([ended, waitsAgain]);
      },
    };
  };
  const finish = async (run: ImageRun) => {
    bench.upstream.call().finish(pictureBytes);
    await run.outcome;
  };
  const handOver = async ({ traceId }: ImageRun) => {
    await markDelivered(bench.database, [traceId], bench.clock.now());
  };

  describe('a key that another process has', () => {
    it('is waited for while its request runs, until its deadline', async () => {
      await bench.start({ key: 'k' });
      const { after } = repeat('apart');
      expect(await after(repeatMs - 1)).toBe(isStill);
      expect(two.borrowerRuns.size).toBe(1);
      expect(await after(keyPollMs)).toMatchObject(toldAgain('is still running'));
      expect(two.borrowerRuns.size).toBe(0);
    });

    it('is waited for without hashing the pictures of the repeat at each look', async () => {
      const bytes = Buffer.from('a fox');
      const picture = { format: 'png', width: 1, height: 1, hasAlpha: false, bytes } as const;
      let reads = 0;
      const counted = {
        ...picture,
        get bytes() {
          reads++;
          return bytes;
        },
      };
      await bench.start({ key: 'k', request: { referenceImages: [picture] } });
      const { after } = repeat('apart', { ...plainGeneration, referenceImages: [counted] });
      expect(await after(keyPollMs)).toBe(isStill);
      expect(await after(keyPollMs)).toBe(isStill);
      expect(reads).toBe(1);
    });

    it('is waited for no longer when the caller has left, which nothing here broke', async () => {
      await bench.start({ key: 'k' });
      const client = new AbortController();
      const { ended, after } = repeat('apart', plainGeneration, client.signal);
      expect(await after(keyPollMs)).toBe(isStill);
      endWait(client);
      expect(await ended).toMatchObject({
        code: 'invalid_request_error',
        message: 'The caller closed the connection.',
      });
      expect(two.borrowerRuns.size).toBe(0);
    });

    it('stands for nothing when its request has failed', async () => {
      const run = await bench.start({ key: 'k' });
      const { after } = repeat('apart');
      expect(await after(keyPollMs)).toBe(isStill);
      bench.upstream.call().fail('refused');
      await run.outcome;
      expect(await after(keyPollMs)).toBeNull();
    });

    it('stands for nothing when it is one of another API key', async () => {
      const [other, { id: processId }] = [
        await addSpender(bench.database, '1.00'),
        await startProcess(bench.database),
      ];
      const idempotency = { key: 'k', fingerprint: 'of somebody else' };
      await admit(bench.database, bench.clock, admissionOf(other, { processId, idempotency }));
      expect(await repeat('apart').ended).toBeNull();
    });

    it('is waited for as long as an answer takes to be handed over, once it is charged', async () => {
      const run = await bench.start({ key: 'k' });
      const { after } = repeat('apart');
      expect(await after(keyPollMs)).toBe(isStill);
      await finish(run);
      expect(await after(keyPollMs)).toBe(isStill);
      expect(await after(handOverMs - 1)).toBe(isStill);
      expect(await after(keyPollMs)).toMatchObject(toldAgain('its answer waits'));
    });

    it('is used up when the answer was handed over there', async () => {
      const run = await bench.start({ key: 'k' });
      await finish(run);
      await handOver(run);
      expect(await repeat('apart').ended).toMatchObject({ ...refused(run), retryable: false });
    });

    it('is not said to be used up while the process that may have its answer stands still', async () => {
      const run = await bench.start({ key: 'k' });
      await finish(run);
      await handOver(run);
      two.workers.freeze(1);
      const { ended, after } = repeat('beside');
      const ring = async () => {
        await bench.clock.untilSleepingFor(ringLimits.ms);
        bench.clock.advance(ringLimits.ms);
      };
      await ring();
      const again = after(handOverMs);
      await ring();
      await again;
      expect(await ended).toMatchObject(toldAgain('its answer waits'));
    });

    it('is refused for another request', async () => {
      const run = await bench.start({ key: 'k' });
      const other = { ...plainGeneration, prompt: 'a hare' };
      expect(await repeat('apart', other).ended).toMatchObject(refused(run));
    });

    it('is waited for where another secret key keeps what it stands for', async () => {
      await bench.start({ key: 'k' });
      const elsewhere = {
        ...services('apart'),
        secretBox: new SecretBox(Buffer.alloc(masterKeyBytes, 9)),
      };
      const waiting = waitForKey(elsewhere, bench.spender, plainGeneration, hints());
      const ended = waiting.catch((error: unknown) => error);
      await bench.clock.untilSleepingFor(keyPollMs);
      bench.clock.advance(repeatMs);
      expect(await ended).toMatchObject(toldAgain('is still running'));
    });

    it('gives the run of a process that can be reached', async () => {
      const run = await bench.start({ key: 'k' });
      const joined = await repeat('beside').ended;
      expect(joined).toBeInstanceOf(BorrowedRun);
      expect(joined).toMatchObject({ traceId: run.traceId });
    });

    it.each([
      ['an answer', false, repeatMs],
      ['a stream', true, streamMs],
    ])('is waited for no longer than the deadline of %s', async (_what, stream, limitMs) => {
      await bench.start({ key: 'k', request: { stream } });
      const joined = await repeat('beside', { ...plainGeneration, stream }).ended;
      expect(joined).toBeInstanceOf(BorrowedRun);
      expect(bench.clock.sleepingFor(limitMs)).toBe(1);
    });
  });

  it.each(['apart', 'beside'] as const)(
    'is waited for by no more requests than the process has places for, with the other one %s',
    async (reach) => {
      await bench.start({ key: 'k' });
      const full = { ...services(reach), limits: { ...services(reach).limits, requestsMax: 0 } };
      const waiting = waitForKey(full, bench.spender, plainGeneration, hints());
      await expect(waiting).rejects.toMatchObject(toldAgain('too many requests running'));
    },
  );

  it('counts as running while the other processes are asked for it', async () => {
    await bench.start({ key: 'k' });
    const joining = waitForKey(services('beside'), bench.spender, plainGeneration, hints());
    expect(two.borrowerRuns.size).toBe(1);
    expect(await joining).toBeInstanceOf(BorrowedRun);
    expect(two.borrowerRuns.size).toBe(1);
  });

  describe('a run that another process has', () => {
    const look = (changes: Parameters<typeof hints>[0]) =>
      joinEarlierRun(services('beside'), bench.spender, plainGeneration, hints(changes));

    it('is looked for by the retry of a request without a key, and by no other request', async () => {
      const left = await bench.start();
      bench.leave(left);
      expect(await look({ idempotencyKey: null, isRetry: false })).toBeNull();
      const joined = await look({ idempotencyKey: null, isRetry: true });
      expect(joined).toMatchObject({ traceId: left.traceId });
    });

    describe('which stands still, and so does not say whether it has it', () => {
      const retry = { idempotencyKey: null, isRetry: true };
      /** Lets time pass until nobody waits any more for what it says. */
      const giveUp = async () => {
        await bench.clock.untilSleepingFor(ringLimits.ms);
        bench.clock.advance(ringLimits.ms);
      };

      it('is asked again while the caller has a request there that is not over', async () => {
        const left = await bench.start();
        bench.leave(left);
        two.workers.freeze(1);
        const looking = look(retry);
        await giveUp();
        await bench.clock.untilSleepingFor(keyPollMs);
        expect(two.borrowerRuns.size).toBe(1);
        two.workers.thaw(1);
        bench.clock.advance(keyPollMs);
        expect(await looking).toMatchObject({ traceId: left.traceId });
      });

      it('is asked again for no longer than its lease may last', async () => {
        await bench.start();
        two.workers.freeze(1);
        const looking = look(retry);
        await giveUp();
        await bench.clock.untilSleepingFor(keyPollMs);
        bench.clock.advance(standsStillMs);
        await giveUp();
        expect(await looking).toBeNull();
      });

      it('is not asked again when the caller has no request there', async () => {
        two.workers.freeze(1);
        const looking = look(retry);
        await giveUp();
        expect(await looking).toBeNull();
      });

      it('is not asked again for what the caller has here, or what others have there', async () => {
        const admitOf = async (spender: typeof bench.spender, processId: string) => {
          const admission = admissionOf(spender, { processId });
          expect(await admit(bench.database, bench.clock, admission)).toMatchObject({
            kind: 'admitted',
          });
        };
        await admitOf(bench.spender, services('beside').processId);
        await admitOf(await addSpender(bench.database, '1.00'), 'the first');
        two.workers.freeze(1);
        const looking = look(retry);
        await giveUp();
        const waits = bench.clock.untilSleepingFor(keyPollMs).then(() => isStill);
        expect(await Promise.race([looking, waits])).toBeNull();
      });
    });

    it('is not waited for when the other one says that it has none such, whatever else it does for the caller', async () => {
      await bench.start();
      const looking = look({ idempotencyKey: null, isRetry: true });
      const waits = bench.clock.untilSleepingFor(keyPollMs).then(() => isStill);
      expect(await Promise.race([looking, waits])).toBeNull();
    });

    it('is not asked for by its key before the database is', async () => {
      await bench.start({ key: 'k' });
      expect(await look({ isRetry: true })).toBeNull();
    });
  });
});

function toldAgain(why: string) {
  return { code: 'rate_limit', message: expect.stringContaining(why) };
}

function refused({ traceId }: ImageRun) {
  const message = expect.stringContaining(traceId);
  return { code: 'invalid_request_error', param: 'Idempotency-Key', message };
}
