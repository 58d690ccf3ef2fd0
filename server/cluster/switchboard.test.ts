/** Workers that call each other by their supervisor's switchboard, without the processes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { ConnectedWorkers } from '../../test/support/processes/connected-workers.ts';
import type { Call, Calls } from '../lib/calls.ts';
import { ringLimits } from './switchboard.ts';

let clock: ManualClock;
let workers: ConnectedWorkers;
beforeEach(() => {
  clock = new ManualClock();
  workers = new ConnectedWorkers(clock, 3);
});

describe('a worker that calls', () => {
  it('is connected with the first that takes the call, whose greeting it hears', async () => {
    const asked = [2, 3].map((id) => noteQuestions(workers.callsOf(id)));
    void answerAt(3);
    expect(await workers.callsOf(1).ring('who has it?')).toMatchObject({ greeting: 'here' });
    expect(asked).toEqual([['who has it?'], []]);
  });

  it('hears that nobody takes it', async () => {
    expect(await workers.callsOf(1).ring('who has it?')).toBe('nobody');
    expect(workers.switchboard.size).toBe(0);
    expect(workers.callsOf(1).size).toBe(0);
  });

  it('is not told that nobody does when one of them did not say so', async () => {
    workers.freeze(2);
    const ringing = workers.callsOf(1).ring('who has it?');
    await clock.untilSleepingFor(ringLimits.ms);
    clock.advance(ringLimits.ms);
    expect(await ringing).toBe('unsure');
  });

  it('is connected with a worker that took the call while the supervisor stood still', async () => {
    void answerAt(2);
    const ringing = workers.callsOf(1).ring('who has it?');
    await clock.untilSleepingFor(ringLimits.ms);
    // What the other one says is on its way.
    clock.advance(10 * ringLimits.ms);
    expect(await ringing).toMatchObject({ greeting: 'here' });
  });

  it('asks the next one when a worker has died, or says nothing for its time', async () => {
    workers.callsOf(2).onRing(async () => {
      workers.kill(2);
      return null;
    });
    void answerAt(3);
    expect(await workers.callsOf(1).ring('who has it?')).toMatchObject({ greeting: 'here' });

    workers = new ConnectedWorkers(clock, 3);
    workers.freeze(2);
    void answerAt(3);
    const ringing = workers.callsOf(1).ring('who has it?');
    await clock.untilSleepingFor(ringLimits.ms);
    clock.advance(ringLimits.ms - 1);
    expect(clock.sleepingFor(ringLimits.ms)).toBe(1);
    clock.advance(1);
    expect(await ringing).toMatchObject({ greeting: 'here' });
  });

  it('hears that nobody takes it, also of one that has died: what it had is gone with it', async () => {
    workers.callsOf(2).onRing(async () => {
      workers.kill(2);
      return null;
    });
    expect(await workers.callsOf(1).ring('who has it?')).toBe('nobody');
  });

  it('does not wait for one that has died before it was its turn', async () => {
    workers.callsOf(2).onRing(async () => {
      workers.kill(3);
      return null;
    });
    expect(await workers.callsOf(1).ring('who has it?')).toBe('nobody');
  });

  it('is answered by the one that is asked, also when another one dies meanwhile', async () => {
    workers.callsOf(2).onRing(async () => {
      workers.kill(3);
      return { greeting: 'here', talk: () => undefined };
    });
    expect(await workers.callsOf(1).ring('who has it?')).toMatchObject({ greeting: 'here' });
  });

  it('hears nothing of one that takes it too late, who is told that it has ended', async () => {
    const late = Promise.withResolvers<void>();
    workers.callsOf(2).onRing(async () => {
      // Nobody waits any more when its answer comes.
      clock.advance(ringLimits.ms);
      return { greeting: 'late', talk: (call) => call.onEnd(late.resolve) };
    });
    expect(await workers.callsOf(1).ring('who has it?')).toBe('unsure');
    await late.promise;
    expect(workers.switchboard.size).toBe(0);
  });

  it('is not waited for when it dies: who takes its call then is told that it has ended', async () => {
    const left = Promise.withResolvers<void>();
    workers.callsOf(2).onRing(async () => {
      workers.kill(1);
      expect(workers.switchboard.size).toBe(0);
      return { greeting: 'here', talk: (call) => call.onEnd(left.resolve) };
    });
    const asked = noteQuestions(workers.callsOf(3));
    void workers.callsOf(1).ring('who has it?');
    await left.promise;
    expect(asked).toEqual([]);
    expect(workers.switchboard.size).toBe(0);
  });

  it('gets no answer when its own supervisor is gone', async () => {
    const ringing = workers.callsOf(1).ring('who has it?');
    const calls = workers.callsOf(1);
    workers.kill(1);
    expect(await ringing).toBe('unsure');
    expect(await calls.ring('and now?')).toBe('unsure');
  });
});

it('a worker whose supervisor is gone while it is asked takes no call: nobody would end it', async () => {
  const asked = Promise.withResolvers<void>();
  let talks = 0;
  workers.callsOf(2).onRing(async () => {
    workers.kill(2);
    asked.resolve();
    return { greeting: 'here', talk: () => void talks++ };
  });
  void workers.callsOf(1).ring('who has it?');
  await asked.promise;
  await workers.settle();
  expect(talks).toBe(0);
});

describe('a call', () => {
  it('carries what both say, in order, also what is said before anybody listens', async () => {
    const other = answerAt(2);
    const call = await callFrom(1);
    const there = await other;
    for (const said of [1, 2, 3]) there.say(said);
    there.say(new Uint8Array([7]));
    await workers.settle();
    expect(heardBy(call)).toEqual([1, 2, 3, new Uint8Array([7])]);
    const heard = heardBy(there);
    call.say('thanks');
    await workers.settle();
    expect(heard).toEqual(['thanks']);
  });

  it('is known to its caller before it hears anything of it', async () => {
    workers.callsOf(2).onRing(async () => ({
      greeting: 'here',
      talk: (call) => call.say('at once'),
    }));
    const call = await callFrom(1);
    await workers.settle();
    expect(heardBy(call)).toEqual(['at once']);
  });

  it.each(['caller', 'callee'] as const)('that the %s ends is over for the other', async (who) => {
    const { caller, callee } = await connect();
    const [ending, other] = who === 'caller' ? [caller, callee] : [callee, caller];
    const over = endOf(other);
    const heard = heardBy(other);
    ending.end();
    ending.say('too late');
    await over;
    await workers.settle();
    expect(heard).toEqual([]);
    expect(workers.switchboard.size).toBe(0);
    expect([1, 2].map((id) => workers.callsOf(id).size)).toEqual([0, 0]);
  });

  it.each([
    [1, 'callee'],
    [2, 'caller'],
  ] as const)('is over when worker %i dies, and its %s hears of it', async (id, told) => {
    const ends = await connect();
    const over = endOf(ends[told]);
    workers.kill(id);
    await over;
    expect(workers.switchboard.size).toBe(0);
  });

  it.each([
    [1, 'caller'],
    [2, 'callee'],
  ] as const)('is over for worker %i, its %s, when its supervisor is gone', async (id, told) => {
    const ends = await connect();
    const over = endOf(ends[told]);
    workers.kill(id);
    await expect(over).resolves.toBeUndefined();
  });

  it('is between two: a third can say nothing in it, nor end it, not even by dying', async () => {
    const { callee } = await connect();
    const heard = heardBy(callee);
    workers.tell(3, 'say', { call: 1, said: 'psst' });
    workers.tell(3, 'end', { call: 1 });
    await workers.settle();
    workers.kill(3);
    expect(heard).toEqual([]);
    expect(workers.switchboard.size).toBe(1);
  });
});

/** Worker `id` takes every call; resolves with its end of the first. */
function answerAt(id: number): Promise<Call> {
  const first = Promise.withResolvers<Call>();
  workers.callsOf(id).onRing(async () => ({ greeting: 'here', talk: first.resolve }));
  return first.promise;
}

async function callFrom(id: number): Promise<Call> {
  const taken = await workers.callsOf(id).ring('who has it?');
  if (typeof taken === 'string') throw new Error(`not taken: ${taken}`);
  return taken.call;
}

async function connect(): Promise<{ caller: Call; callee: Call }> {
  const callee = answerAt(2);
  return { caller: await callFrom(1), callee: await callee };
}

function noteQuestions(calls: Calls): unknown[] {
  const questions: unknown[] = [];
  calls.onRing(async (question) => {
    questions.push(question);
    return null;
  });
  return questions;
}

function heardBy(call: Call): unknown[] {
  const heard: unknown[] = [];
  call.hear((said) => heard.push(said));
  return heard;
}

function endOf(call: Call): Promise<void> {
  return new Promise((resolve) => call.onEnd(resolve));
}
