import type { Clock } from '../lib/clock.ts';

/** Workers may stand still, and whoever calls is not to wait long for them. */
export const ringLimits = { ms: 2_000 } as const;

/** A call that was taken: its number, and what the other side says to begin with. */
export interface Connected {
  call: number;
  greeting: unknown;
}

/** How the workers are told of their calls. */
export interface Bells {
  ring(worker: number, ringing: { call: number; question: unknown }): void;
  connected(worker: number, answer: { ticket: number; connected: Connected | null }): void;
  said(worker: number, said: { call: number; said: unknown }): void;
  ended(worker: number, ended: { call: number }): void;
}

/** A worker that wants to talk to whichever other takes its call. */
interface Wish {
  caller: number;
  /** Chosen by the caller, once. */
  ticket: number;
  question: unknown;
}

interface Ringing {
  wish: Wish;
  callee: number;
  /** Those who are asked if this one does not take the call. */
  others: readonly number[];
  over: AbortController;
}

/**
 * Connects workers of one machine with each other. Kept by the supervisor, who listens to none of it. All that it is
 * told it passes on at once, or what is said first in a call would overtake the news of it.
 */
export class Switchboard {
  readonly #clock: Clock;
  readonly #bells: Bells;
  readonly #ringing = new Map<number, Ringing>();
  /** Of calls that were taken. */
  readonly #parties = new Map<number, readonly [caller: number, callee: number]>();
  #lastCall = 0;

  constructor(clock: Clock, bells: Bells) {
    this.#clock = clock;
    this.#bells = bells;
  }

  /** Calls that ring, or in which somebody talks. */
  get size(): number {
    return this.#ringing.size + this.#parties.size;
  }

  /** Rings at others, one after the other, until one of them takes the call. */
  call(wish: Wish, others: readonly number[]): void {
    const [callee, ...rest] = others;
    if (callee === undefined) {
      this.#bells.connected(wish.caller, { ticket: wish.ticket, connected: null });
      return;
    }
    const call = ++this.#lastCall;
    const over = new AbortController();
    this.#ringing.set(call, { wish, callee, others: rest, over });
    this.#clock.sleep(ringLimits.ms, over.signal).then(
      () => this.#decline(call),
      // It was answered.
      () => undefined,
    );
    this.#bells.ring(callee, { call, question: wish.question });
  }

  /** @param greeting what the callee says to begin with; null when it does not take the call */
  answer(callee: number, { call, greeting }: Connected): void {
    const ringing = this.#ringing.get(call);
    if (greeting === null) this.#decline(call);
    else if (ringing) {
      const { caller, ticket } = ringing.wish;
      this.#stopRinging(call);
      this.#parties.set(call, [caller, callee]);
      this.#bells.connected(caller, { ticket, connected: { call, greeting } });
    } else {
      // It took so long that somebody else was asked, or its caller is dead.
      this.#bells.ended(callee, { call });
    }
  }

  pass(worker: number, { call, said }: { call: number; said: unknown }): void {
    const other = this.#otherOf(worker, call);
    if (other !== null) this.#bells.said(other, { call, said });
  }

  end(worker: number, call: number): void {
    const other = this.#otherOf(worker, call);
    if (other === null) return;
    this.#parties.delete(call);
    this.#bells.ended(other, { call });
  }

  /** It is dead: nobody can go on talking with it. */
  forget(worker: number): void {
    for (const [call, { wish, callee }] of [...this.#ringing]) {
      if (wish.caller === worker) this.#stopRinging(call);
      else if (callee === worker) this.#decline(call);
    }
    for (const [call, parties] of [...this.#parties]) {
      if (parties.includes(worker)) this.end(worker, call);
    }
  }

  /** Somebody else is asked. */
  #decline(call: number): void {
    const ringing = this.#ringing.get(call);
    if (!ringing) return;
    this.#stopRinging(call);
    this.call(ringing.wish, ringing.others);
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
