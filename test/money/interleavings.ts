/**
 * Commands that ran at the same time must have done what they would have done one after the other,
 * in some order. This goes through the orders that there are and keeps those in which every command
 * gets the answer that it really got.
 */
import { happen, type Ledger, type Request, type Step } from './ledger-model.ts';

export type Command = Exclude<Step, { kind: 'expire' }> | { kind: 'sweep' };

export interface Ran {
  command: Command;
  answer: string;
}

/**
 * The ledgers that these commands may have left, of those that there may have been before. None: no
 * order explains the answers.
 */
export function ledgersAfter(before: readonly Ledger[], ran: readonly Ran[]): Ledger[] {
  let moments: Moment[] = before.map((ledger) => ({ ledger, threads: ran.map(toThread) }));
  while (moments.some(({ threads }) => threads.length > 0)) {
    moments = distinct(moments.flatMap((moment) => nextMoments(moment, ran.length > 1)));
  }
  return moments.map(({ ledger }) => ledger);
}

/** A state on the way, and what is still to happen. */
interface Moment {
  ledger: Ledger;
  threads: readonly Thread[];
}

interface Thread extends Ran {
  /** What a sweep that has begun found and has not looked at yet; null for everything else. */
  found: { request: number; state: Request['state'] }[] | null;
  expired: number;
  refunded: number;
}

function toThread(ran: Ran): Thread {
  return { ...ran, found: null, expired: 0, refunded: 0 };
}

function nextMoments(moment: Moment, isRace: boolean): Moment[] {
  if (moment.threads.length === 0) return [moment];
  return moment.threads.flatMap((_, index) => {
    const { ledger, threads } = structuredClone(moment);
    const others = threads.filter((__, other) => other !== index);
    const after = advance(ledger, threads[index], isRace);
    if (after === 'wrong') return [];
    return [{ ledger, threads: after === 'done' ? others : [...others, after] }];
  });
}

function advance(
  ledger: Ledger,
  thread: Thread | undefined,
  isRace: boolean,
): Thread | 'done' | 'wrong' {
  if (!thread) return 'wrong';
  const { command, answer } = thread;
  if (command.kind === 'sweep') return advanceSweep(ledger, thread);
  const expected = happen(ledger, command);
  const isLoose = (isRace || isUsedAgain(ledger, command)) && isRefusal(expected);
  return expected === answer || (isLoose && isRefusal(answer)) ? 'done' : 'wrong';
}

/** A sweep is a look at what there is, and then one write for each request it found. */
function advanceSweep(ledger: Ledger, thread: Thread): Thread | 'done' | 'wrong' {
  const [next, ...found] = thread.found ?? [];
  if (thread.found === null) return { ...thread, found: orphans(ledger) };
  if (!next) return thread.answer === sweepAnswer(thread) ? 'done' : 'wrong';
  const { request, state } = next;
  const ended = happen(ledger, { kind: 'expire', request, found: state }) === 'ended' ? 1 : 0;
  const isOpen = state === 'open';
  return {
    ...thread,
    found,
    expired: thread.expired + (isOpen ? ended : 0),
    refunded: thread.refunded + (isOpen ? 0 : ended),
  };
}

export function sweepAnswer({ expired, refunded }: { expired: number; refunded: number }): string {
  return `expired ${expired}, refunded ${refunded}`;
}

function orphans({ requests, living }: Ledger): { request: number; state: Request['state'] }[] {
  return requests.flatMap(({ process, state, claimed, delivered, refundedBy }, request) => {
    const isUnfinished = state === 'open' || (state === 'settled' && !delivered && !refundedBy);
    return isUnfinished && !claimed && !living[process] ? [{ request, state }] : [];
  });
}

/** Why an admit was refused is read after the refusal, when in a race it may have changed. */
function isRefusal(answer: string): boolean {
  return ['repeated', 'key taken', 'no slot', 'no key slot', 'no money', 'key spent'].includes(
    answer,
  );
}

/** PostgreSQL chooses whether it names the trace ID that was used before or the key's limit. */
function isUsedAgain({ requests }: Ledger, command: Command): boolean {
  return command.kind === 'admit' && requests[command.request]?.state !== 'new';
}

function distinct(moments: readonly Moment[]): Moment[] {
  return [...new Map(moments.map((moment) => [JSON.stringify(moment), moment])).values()];
}
