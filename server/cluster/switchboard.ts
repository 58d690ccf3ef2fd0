import type { Clock } from '../lib/clock.ts';
import { sleepAwake } from '../lib/sleep-awake.ts';
import type { Connected, SupervisorEnd, ToSupervisor } from './topics.ts';

/** How long a worker may take to say whether it takes a call: one that stands still must not hold up the caller. */
export const ringLimits = { ms: 2_000 } as const;

/** A worker that wants to talk to whichever other takes its call. */
interface Wish {
  caller: number;
  /** Chosen by the caller, once. */
  ticket: number;
  question: unknown;
  /** Whether all who were asked so far said that they do not take it. */
  isSure: boolean;
}

interface Ringing {
  wish: Wish;
  callee: number;
  /** Those who are asked if this one does not take the call. */
  others: readonly number[];
  over: AbortController;
}

/**
 * Connects the workers of one machine with each other. The supervisor keeps it, and passes on what is said without
 * looking at it. Everything is passed on at once and in order: otherwise the first words of a call could arrive before
 * the news that it was taken.
 */
export class Switchboard<Start> {
  readonly #clock: Clock;
  readonly #lineOf: (worker: number) => SupervisorEnd<Start> | undefined;
  readonly #ringing = new Map<number, Ringing>();
  /** Of calls that were taken. */
  readonly #parties = new Map<number, readonly [caller: number, callee: number]>();
  #lastCall = 0;

  constructor(clock: Clock, lineOf: (worker: number) => SupervisorEnd<Start> | undefined) {
    this.#clock = clock;
    this.#lineOf = lineOf;
  }

  /** Calls that ring, or in which somebody talks. */
  get size(): number {
    return this.#ringing.size + this.#parties.size;
  }

  /** @param others who may be asked, at that moment */
  listen(worker: number, line: SupervisorEnd<Start>, others: () => readonly number[]): void {
    line.on('call', (wish) => this.#call({ ...wish, caller: worker, isSure: true }, others()));
    line.on('answer', (answer) => this.#answer(worker, answer));
    line.on('say', (said) => this.#pass(worker, said));
    line.on('end', ({ call }) => this.#end(worker, call));
  }

  /** It is dead: nobody can go on talking with it. */
  forget(worker: number): void {
    for (const [call, { wish, callee }] of [...this.#ringing]) {
      if (wish.caller === worker) this.#stopRinging(call);
      // What it had is gone with it.
      else if (callee === worker) this.#askNext(call, { isSure: true });
    }
    for (const [call, parties] of [...this.#parties]) {
      if (parties.includes(worker)) this.#end(worker, call);
    }
  }

  /** Rings at others, one after the other, until one of them takes the call. */
  #call(wish: Wish, others: readonly number[]): void {
    const { caller, ticket, question, isSure } = wish;
    const [callee, ...rest] = others.filter((other) => this.#lineOf(other));
    if (callee === undefined) {
      void this.#lineOf(caller)?.say('connected', { ticket, connected: null, isSure });
      return;
    }
    const call = ++this.#lastCall;
    const over = new AbortController();
    this.#ringing.set(call, { wish, callee, others: rest, over });
    sleepAwake(this.#clock, ringLimits.ms, over.signal).then(
      () => this.#askNext(call, { isSure: false }),
      // It was answered.
      () => undefined,
    );
    void this.#lineOf(callee)?.say('ring', { call, question });
  }

  #answer(callee: number, { call, greeting }: ToSupervisor['answer']): void {
    const ringing = this.#ringing.get(call);
    if (greeting === null) this.#askNext(call, { isSure: true });
    else if (ringing) {
      const { caller, ticket } = ringing.wish;
      this.#stopRinging(call);
      this.#parties.set(call, [caller, callee]);
      const connected: Connected = { call, greeting };
      void this.#lineOf(caller)?.say('connected', { ticket, connected, isSure: true });
    } else {
      // It took so long that somebody else was asked, or its caller is dead.
      void this.#lineOf(callee)?.say('ended', { call });
    }
  }

  #pass(worker: number, said: ToSupervisor['say']): void {
    const other = this.#otherOf(worker, said.call);
    if (other !== null) void this.#lineOf(other)?.say('said', said);
  }

  #end(worker: number, call: number): void {
    const other = this.#otherOf(worker, call);
    if (other === null) return;
    this.#parties.delete(call);
    void this.#lineOf(other)?.say('ended', { call });
  }

  /** @param isSure whether the one that rings is known not to take the call */
  #askNext(call: number, { isSure }: { isSure: boolean }): void {
    const ringing = this.#ringing.get(call);
    if (!ringing) return;
    this.#stopRinging(call);
    const { wish, others } = ringing;
    this.#call({ ...wish, isSure: wish.isSure && isSure }, others);
  }

  #stopRinging(call: number): void {
    this.#ringing.get(call)?.over.abort();
    this.#ringing.delete(call);
  }

  #otherOf(worker: number, call: number): number | null {
    const [caller, callee] = this.#parties.get(call) ?? [];
    if (caller === undefined || callee === undefined) return null;
    if (worker === caller) return callee;
    return worker === callee ? caller : null;
  }
}
