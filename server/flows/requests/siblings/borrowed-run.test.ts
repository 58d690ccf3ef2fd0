/** What a borrower makes of words that come at a bad moment, or that no lender should say. */
import { expect, it } from 'vitest';
import { amountFromMicros } from '../../../../shared/money.ts';
import { LentMemory } from '../../../../test/support/lent-memory.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { patience } from '../../../../test/support/patience.ts';
import type { Call } from '../../../lib/calls.ts';
import { BorrowedRun } from './borrowed-run.ts';
import type { LentPicture, ToBorrower, ToLender } from './run-talk.ts';

const pictureBytes = 20_000;
const joined: ToLender = { kind: 'joined' };
const read: ToLender = { kind: 'read', picture: 0, from: 0 };
const piece = (bytes: number): ToBorrower => ({ kind: 'piece', bytes: new Uint8Array(bytes) });
const lost = { kind: 'failed', error: { code: 'unavailable' } };

it('an outcome that comes in the moment in which its caller leaves takes no memory', async () => {
  const { run, say, leave, told } = borrow();
  say(succeeded());
  leave();
  expect(await run.outcome).toMatchObject(lost);
  expect(told.memory).toEqual([]);
});

it('a picture that comes in the moment in which its caller leaves is let go of', async () => {
  using lent = new LentMemory();
  const { run, say, leave, heard } = borrow();
  say(succeeded());
  await expect.poll(() => heard, patience).toEqual([joined, read]);
  expect(lent.left).toHaveLength(1);
  say(piece(pictureBytes));
  leave();
  await run.outcome;
  expect(lent.left).toEqual([]);
});

it('a picture that is shorter than was told is lost, with its memory', async () => {
  using lent = new LentMemory();
  const { run, say, heard } = borrow();
  say(succeeded());
  await expect.poll(() => heard, patience).toEqual([joined, read]);
  expect(lent.left).toHaveLength(1);
  say(piece(0));
  expect(await run.outcome).toMatchObject(lost);
  expect(lent.left).toEqual([]);
});

it('is left once, and whatever becomes of its process then cuts nothing', async () => {
  const { run, say, leave, endCall, heard, told } = borrow();
  say(succeeded());
  await expect.poll(() => heard, patience).toEqual([joined, read]);
  say(piece(pictureBytes));
  await run.outcome;
  expect(await run.mayHandOver()).toBe(true);
  leave();
  leave();
  endCall();
  expect(heard).toEqual([joined, read, { kind: 'leave', finished: false }]);
  expect(told).toEqual({ memory: [pictureBytes, -pictureBytes], ends: 1, left: [run], cuts: 0 });
});

it('of which the charge was returned hands nothing over that would be cut with its process', async () => {
  const { run, endCall, told } = borrow({ stands: false });
  expect(await run.mayHandOver()).toBe(false);
  endCall();
  expect(told.cuts).toBe(0);
});

/** A run of a process that says what the test lets it say. */
function borrow({ stands = true } = {}) {
  const listeners: ((said: unknown) => void)[] = [];
  const enders: (() => void)[] = [];
  const heard: ToLender[] = [];
  const told = { memory: [] as number[], ends: 0, left: [] as BorrowedRun[], cuts: 0 };
  const call: Call = {
    // A borrower says nothing else.
    say: (said) => heard.push(said as ToLender),
    hear: (listener) => listeners.push(listener),
    onEnd: (listener) => enders.push(listener),
    end: () => void told.ends++,
  };
  const run = new BorrowedRun({
    traceId: 'req_1',
    call,
    clock: new ManualClock(),
    outcomeMs: 60_000,
    takeMemory: (bytes) => {
      told.memory.push(bytes);
      return () => told.memory.push(-bytes);
    },
    mayHandOver: () => Promise.resolve(stands),
    noteDelivered: () => {},
    cut: () => void told.cuts++,
    onLeft: (left) => told.left.push(left),
  });
  return {
    run,
    heard,
    told,
    say: (said: ToBorrower) => listeners.forEach((listener) => listener(said)),
    leave: () => run.detach({ onPartial: () => null, hasLeft: () => true }, false),
    endCall: () => enders.forEach((end) => end()),
  };
}

function succeeded(): ToBorrower {
  const picture: LentPicture = {
    encoding: 'raw',
    length: pictureBytes,
    format: 'png',
    width: 32,
    height: 32,
    hasAlpha: false,
    revisedPrompt: 'a fox',
    quality: 'high',
    background: 'opaque',
    tokens: null,
  };
  const charged = { cost: amountFromMicros(40_000), balance: amountFromMicros(960_000) };
  const result = { traceId: 'req_1', created: 0, pictures: [picture], charged };
  return { kind: 'outcome', outcome: { kind: 'succeeded', result, isPaid: false } };
}
