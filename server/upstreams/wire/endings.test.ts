import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import { UpstreamError, type UpstreamEvent } from '../upstream.ts';
import { endInFault, endInFaults } from './endings.ts';

const accepted: UpstreamEvent = { kind: 'accepted', upstreamRequestId: null };

async function* failingWith(error: unknown): AsyncGenerator<UpstreamEvent, void, void> {
  yield accepted;
  throw error;
}

/** In both forms, which end alike. */
async function endingOf(error: unknown, signal: AbortSignal): Promise<unknown> {
  const run = await thrownBy(Array.fromAsync(endInFaults(failingWith(error), signal)));
  const failing = async () => {
    throw error;
  };
  const other = await thrownBy(endInFault(failing, signal));
  expect(inspect(other).split('\n')[0]).toBe(inspect(run).split('\n')[0]);
  return run;
}

const running = () => new AbortController().signal;

describe('a run', () => {
  it('passes its events on', async () => {
    async function* events() {
      yield accepted;
      yield accepted;
    }
    expect(await Array.fromAsync(endInFaults(events(), running()))).toEqual([accepted, accepted]);
    expect(await endInFault(async () => 7, running())).toBe(7);
  });

  it('ends with the fault that was thrown', async () => {
    const error = new UpstreamError('quota', 'no money');
    expect(await endingOf(error, running())).toBe(error);
  });

  it('ends with the fault of what prevented an answer', async () => {
    const error = await endingOf(new OutgoingError('connect', 'no connection'), running());
    expect(error).toMatchObject({ fault: 'unavailable', message: 'no connection' });
  });

  it('begins nothing when it was stopped before', async () => {
    let begun = false;
    async function* events() {
      begun = true;
      yield accepted;
    }
    const stopped = AbortSignal.abort();
    const error = await thrownBy(Array.fromAsync(endInFaults(events(), stopped)));
    expect(error).toMatchObject({ fault: 'canceled', possiblyCharged: false });
    const listing = endInFault(async () => {
      begun = true;
    }, stopped);
    expect(await thrownBy(listing)).toMatchObject({ fault: 'canceled' });
    expect(begun).toBe(false);
  });

  it('was canceled when it was stopped, whatever that led to', async () => {
    const stop = new AbortController();
    async function* events() {
      yield accepted;
      stop.abort();
      throw new UpstreamError('unavailable', 'the connection ended early');
    }
    const error = await thrownBy(Array.fromAsync(endInFaults(events(), stop.signal)));
    expect(error).toMatchObject({ fault: 'canceled', message: 'stopped' });
  });

  it('says what the adapter knows that noticed the stop', async () => {
    const controller = new AbortController();
    const known = new UpstreamError('canceled', 'stopped', { possiblyCharged: true });
    const ended = endInFault(async () => {
      controller.abort();
      throw known;
    }, controller.signal);
    expect(await thrownBy(ended)).toBe(known);
  });

  it('ends with the fault for which it was stopped', async () => {
    const reason = new UpstreamError('timeout', 'the time for it is over');
    const stop = new AbortController();
    async function* events() {
      yield accepted;
      stop.abort(reason);
      throw new Error('aborted');
    }
    expect(await thrownBy(Array.fromAsync(endInFaults(events(), stop.signal)))).toBe(reason);
  });

  it('runs the last steps of its events when it is left', async () => {
    let isClosed = false;
    async function* events() {
      try {
        yield accepted;
      } finally {
        isClosed = true;
      }
    }
    for await (const event of endInFaults(events(), running())) {
      expect(event).toBe(accepted);
      break;
    }
    expect(isClosed).toBe(true);
  });
});

describe('what an adapter did not foresee', () => {
  const secret = 'a fox on the ice';

  it.each<[string, unknown, string]>([
    ['a parser', thrownIn(() => JSON.parse(secret)), 'SyntaxError'],
    ['a mistake of ours', new TypeError(`${secret} is not a function`), 'TypeError'],
    [
      'a system call',
      Object.assign(new Error(`open /${secret}`), { code: 'ENOENT' }),
      'Error (ENOENT)',
    ],
    ['a library', Object.assign(new Error(secret), { requestBody: secret, code: secret }), 'Error'],
    ['a string', secret, 'a thrown string'],
  ])('in %s keeps its words to itself', async (_name, thrown, cause) => {
    const error = await endingOf(thrown, running());
    expect(error).toMatchObject({
      fault: 'protocol',
      message: 'the adapter failed',
      possiblyCharged: true,
      cause: { message: cause },
    });
    expect(inspect(error)).not.toContain(secret);
  });

  it('is kept to itself where it is the reason of a stop', async () => {
    const reason = Object.assign(new Error(secret), { requestBody: secret });
    const error = await endingOf(new Error('aborted'), AbortSignal.abort(reason));
    expect(error).toMatchObject({ fault: 'canceled', cause: { message: 'Error' } });
    expect(inspect(error)).not.toContain(secret);
  });

  it('still says where it happened', async () => {
    const error = await endingOf(new TypeError(`${secret}\n    at ${secret}`), running());
    expect(inspect(error)).toMatch(/TypeError\n\s+at .*endings\.test\.ts/);
    expect(inspect(error)).not.toContain(secret);
  });
});

function thrownIn(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
