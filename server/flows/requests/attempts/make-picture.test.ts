/** How a picture goes from upstream to upstream: the table of faults. */
import { describe, expect, it } from 'vitest';
import { PictureBench, type Step } from '../../../../test/support/requests/picture-bench.ts';
import { type Fault, UpstreamError } from '../../../upstreams/upstream.ts';
import { refusedCallsMax, refusedKeysPerUpstreamMax } from './make-picture.ts';

describe('after a fault', () => {
  it.each<Fault>(['unsupported', 'auth', 'quota', 'busy', 'unavailable', 'timeout', 'protocol'])(
    '%s goes on with the next upstream',
    async (fault) => {
      const bench = new PictureBench({ first: [fault], second: ['picture'] });
      expect((await bench.make()).kind).toBe('made');
      expect(bench.calls).toEqual(['first', 'second']);
    },
  );

  it.each<Fault>(['refused', 'bad_request', 'canceled'])('%s asks nobody else', async (fault) => {
    const bench = new PictureBench({ first: [fault], second: ['picture'] });
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault } });
    expect(bench.calls).toEqual(['first']);
  });

  it.each<Fault>(['busy', 'unavailable'])('%s tries the last upstream again', async (fault) => {
    const bench = new PictureBench({ only: [fault, 'picture'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(500);
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['only', 'only']);
  });

  it.each<Fault>(['unsupported', 'auth', 'quota', 'timeout', 'protocol'])(
    '%s does not try the last upstream again',
    async (fault) => {
      const bench = new PictureBench({ only: [fault, 'picture'] });
      expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault } });
      expect(bench.calls).toEqual(['only']);
    },
  );

  it('unavailable tries the last upstream again only after a rest, whatever keys it has', async () => {
    const bench = new PictureBench({ only: ['unavailable', 'picture'] }, { keys: ['one', 'two'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    expect(bench.calls).toEqual(['only']);
    bench.clock.advance(500);
    expect((await made).kind).toBe('made');
  });

  it('waits as long as the upstream asks before it tries it again', async () => {
    const bench = new PictureBench({ only: [{ fault: 'busy', retryAfterMs: 3_000 }, 'picture'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(2_999);
    expect(bench.calls).toEqual(['only']);
    bench.clock.advance(1);
    expect((await made).kind).toBe('made');
  });

  it('gives up where the upstream asks for more than five seconds', async () => {
    const bench = new PictureBench({ only: [{ fault: 'busy', retryAfterMs: 5_001 }, 'picture'] });
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
  });

  it('makes no more attempts than it may', async () => {
    const bench = new PictureBench({
      a: ['timeout'],
      b: ['timeout'],
      c: ['timeout'],
      d: ['picture'],
    });
    expect((await bench.make()).kind).toBe('failed');
    expect(bench.calls).toEqual(['a', 'b', 'c']);
  });

  it('is not tried elsewhere once nobody waits for it', async () => {
    const bench = new PictureBench({ first: ['unavailable'], second: ['picture'] });
    bench.stop.abort(new UpstreamError('canceled', 'gone'));
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault: 'canceled' } });
    expect(bench.calls).toEqual([]);
  });
});

describe('a request whose time is over', () => {
  it('is not tried elsewhere', async () => {
    const late = new UpstreamError('timeout', 'the request took too long');
    const bench: PictureBench = new PictureBench({
      first: [{ fault: 'unavailable', meanwhile: () => bench.stop.abort(late) }],
      second: ['picture'],
    });
    expect(await bench.make()).toEqual({ kind: 'failed', error: late });
    expect(bench.calls).toEqual(['first']);
  });
});

describe('what may have been paid already', () => {
  it('is tried once more, and not twice', async () => {
    const cut: Step = { fault: 'unavailable', possiblyCharged: true };
    const bench = new PictureBench({ a: [cut], b: [cut], c: ['picture'] });
    expect((await bench.make()).kind).toBe('failed');
    expect(bench.calls).toEqual(['a', 'b']);
    expect(bench.attempts.map((record) => record.possibly_charged)).toEqual([true, true]);
  });

  it('is tried once more, whatever ends that', async () => {
    const bench = new PictureBench({
      a: [{ fault: 'timeout', possiblyCharged: true }],
      b: ['busy'],
      c: ['picture'],
    });
    expect((await bench.make()).kind).toBe('failed');
    expect(bench.calls).toEqual(['a', 'b']);
  });

  it('is so where the upstream had taken the job on', async () => {
    const bench = new PictureBench({ a: [{ fault: 'timeout', accepted: true }], b: ['picture'] });
    await bench.make();
    expect(bench.attempts.map((record) => record.possibly_charged)).toEqual([true, false]);
  });

  it('is not so where it said what was wrong', async () => {
    const bench = new PictureBench({ a: [{ fault: 'refused', accepted: true }] });
    await bench.make();
    expect(bench.attempts[0]?.possibly_charged).toBe(false);
  });
});

describe('several keys', () => {
  it.each<Fault>(['auth', 'quota', 'busy'])(
    'take over after %s, on the same upstream',
    async (fault) => {
      const bench = new PictureBench(
        { a: [fault, 'picture'], b: ['picture'] },
        { keys: ['one', 'two'] },
      );
      expect((await bench.make()).kind).toBe('made');
      expect(bench.attempts.map((record) => [record.upstream, record.upstream_key])).toEqual([
        ['a', 'one'],
        ['a', 'two'],
      ]);
    },
  );

  it('are left for the next upstream when none is left', async () => {
    const bench = new PictureBench(
      { a: ['auth', 'auth'], b: ['picture'] },
      { keys: ['one', 'two'] },
    );
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a', 'b']);
  });

  it.each<Fault>(['auth', 'quota'])(
    'that end in %s use up no attempts, so that the next upstreams have theirs',
    async (fault) => {
      const bench = new PictureBench(
        { a: [fault, fault], b: ['timeout'], c: ['timeout'], d: ['picture'] },
        { keys: ['one', 'two'] },
      );
      expect((await bench.make()).kind).toBe('made');
      expect(bench.calls).toEqual(['a', 'a', 'b', 'c', 'd']);
    },
  );

  it('are all tried that are only busy', async () => {
    const bench = new PictureBench(
      { a: ['busy', 'busy', 'picture'], b: ['picture'] },
      { keys: ['one', 'two', 'three'] },
    );
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a', 'a']);
  });

  it('were all tried, which is no rest that they ask for', async () => {
    const bench = new PictureBench(
      { a: ['busy', 'busy'], b: ['picture'] },
      { keys: ['one', 'two'] },
    );
    expect((await bench.make()).kind).toBe('made');
    expect(bench.attempts.map(({ skipped }) => skipped)).toEqual([null, null, null]);
  });

  it('are tried no further on an upstream that refused as many as it may', async () => {
    const keys = Array.from({ length: refusedKeysPerUpstreamMax + 1 }, (_, i) => `key ${i}`);
    const bench = new PictureBench({ a: ['auth', 'quota'], b: ['picture'] }, { keys });
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a', 'b']);
  });

  it.each([
    [refusedCallsMax + 2, 'made'],
    [refusedCallsMax + 3, 'failed'],
  ])('that are refused by %i upstreams before one that works: %s', async (count, kind) => {
    const refusing = Array.from({ length: count }, (_, i): [string, Step[]] => [`${i}a`, ['auth']]);
    const scripts = Object.fromEntries([...refusing, ['works', ['picture']] as [string, Step[]]]);
    const bench = new PictureBench(scripts, { keys: ['one'] });
    expect((await bench.make()).kind).toBe(kind);
  });

  it('reach the adapter, each in its turn', async () => {
    const bench = new PictureBench({ a: ['picture', 'picture'] }, { keys: ['one', 'two'] });
    await bench.make();
    await bench.make();
    expect(bench.credentials).toEqual(['credential of one', 'credential of two']);
  });

  it('are reported dead once they are refused three times in a row', async () => {
    const bench = new PictureBench({ a: ['auth', 'auth', 'auth'] }, { keys: ['one'] });
    for (let i = 0; i < 3; i++) {
      await bench.make();
      bench.clock.advance(60_000);
    }
    expect(bench.dead).toEqual(['a one auth']);
  });
});

describe('an upstream that has no room', () => {
  it('is passed over for the next that has', async () => {
    const bench = new PictureBench(
      { a: ['picture'], b: ['picture'] },
      { limits: { concurrencyMax: 1 } },
    );
    await bench.laneOf('a').tryEnter();
    await bench.make();
    expect(bench.calls).toEqual(['b']);
  });

  it('is waited for when there is no other', async () => {
    const bench = new PictureBench({ a: ['picture'] }, { limits: { concurrencyMax: 1 } });
    const leave = await bench.laneOf('a').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    leave?.();
    expect((await made).kind).toBe('made');
  });

  it('fails the picture when the wait is over, and the record says why', async () => {
    const limits = { concurrencyMax: 1, queueWaitMs: 1_000 };
    const bench = new PictureBench({ a: ['picture'] }, { limits });
    await bench.laneOf('a').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(1_000);
    expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
    expect(bench.attempts).toMatchObject([{ upstream: 'a', skipped: 'queue_wait', attempt: 0 }]);
  });

  it('has its place back after a picture and after a failure', async () => {
    const bench = new PictureBench(
      { a: ['picture', 'refused'] },
      { limits: { concurrencyMax: 1 } },
    );
    await bench.make();
    await bench.make();
    expect(bench.laneOf('a').state.running).toBe(0);
  });
});

describe('a picture that nobody was free for', () => {
  it('says when the first upstream will have rested', async () => {
    const bench = new PictureBench({
      a: [{ fault: 'busy', retryAfterMs: 60_000 }],
      b: [{ fault: 'busy', retryAfterMs: 30_000 }],
    });
    await bench.make();
    expect(await bench.make()).toMatchObject({
      kind: 'failed',
      error: { fault: 'busy', retryAfterMs: 30_000 },
    });
  });

  it('says a second where none of them rests', async () => {
    const bench = new PictureBench(
      { a: ['picture'] },
      { limits: { concurrencyMax: 1, queueMax: 0 } },
    );
    await bench.laneOf('a').tryEnter();
    expect(await bench.make()).toMatchObject({
      kind: 'failed',
      error: { fault: 'busy', retryAfterMs: 1_000 },
    });
  });
});

describe('an upstream that asked for a pause', () => {
  it('is passed over until it is over', async () => {
    const busy: Step = { fault: 'busy', retryAfterMs: 20_000 };
    const bench = new PictureBench({ a: [busy, 'picture'], b: ['picture', 'picture', 'picture'] });
    await bench.make();
    await bench.make();
    bench.clock.advance(20_000);
    await bench.make();
    expect(bench.calls).toEqual(['a', 'b', 'b', 'a']);
    expect(bench.attempts.map(({ skipped }) => skipped)).toEqual([
      null,
      null,
      'cooling_down',
      null,
      null,
    ]);
  });

  it('is waited for when the pause is short and there is no other', async () => {
    const bench = new PictureBench({ a: [{ fault: 'busy', retryAfterMs: 9_000 }, 'picture'] });
    await bench.make();
    bench.clock.advance(4_000);
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(5_000);
    expect((await made).kind).toBe('made');
  });
});

describe('an upstream whose breaker is open', () => {
  it('is passed over without an attempt, and the record says so', async () => {
    const down: Step[] = Array.from({ length: 5 }, () => 'unavailable');
    const bench = new PictureBench({ a: down, b: Array.from({ length: 6 }, () => 'picture') });
    for (let i = 0; i < 5; i++) await bench.make();
    bench.attempts.length = 0;
    expect((await bench.make()).kind).toBe('made');
    expect(bench.attempts).toMatchObject([
      { upstream: 'a', skipped: 'breaker_open', attempt: 0 },
      { upstream: 'b', skipped: null, attempt: 1 },
    ]);
  });
});

describe('partial images', () => {
  it('go on with their count in a second attempt, up to the number asked for', async () => {
    const bench = new PictureBench(
      { a: [{ fault: 'unavailable', partials: 2 }], b: [{ partials: 3 }] },
      { partialImages: 3 },
    );
    await bench.make();
    expect(bench.partials).toEqual([0, 1, 2]);
  });
});
