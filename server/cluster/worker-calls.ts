import type { Call, Calls, NotTaken, TakeCall, TakenCall } from '../lib/calls.ts';
import type { WorkerEnd } from './topics.ts';

/** A worker's end of its calls with other workers, which its supervisor connects. */
export class WorkerCalls<Start> implements Calls {
  readonly #line: WorkerEnd<Start>;
  /** By ticket: whoever waits for somebody to take its call. */
  readonly #ringing = new Map<number, (outcome: TakenCall | NotTaken) => void>();
  readonly #calls = new Map<number, CallEnd>();
  #take: TakeCall = async () => null;
  #lastTicket = 0;
  #isLineGone = false;

  constructor(line: WorkerEnd<Start>) {
    this.#line = line;
    line.on('ring', ({ call, question }) => void this.#answer(call, question));
    line.on('connected', ({ ticket, connected, isSure }) => {
      const tell = this.#ringing.get(ticket);
      this.#ringing.delete(ticket);
      if (connected) tell?.({ ...connected, call: this.#open(connected.call) });
      else tell?.(isSure ? 'nobody' : 'unsure');
    });
    line.on('said', ({ call, said }) => this.#calls.get(call)?.onSaid(said));
    line.on('ended', ({ call }) => this.#close(call));
    line.onGone(() => this.#closeAll());
  }

  /** Calls that it waits to have taken, and those in which it talks. */
  get size(): number {
    return this.#ringing.size + this.#calls.size;
  }

  ring(question: unknown): Promise<TakenCall | NotTaken> {
    if (this.#isLineGone) return Promise.resolve('unsure');
    const ticket = ++this.#lastTicket;
    void this.#line.say('call', { ticket, question });
    return new Promise((resolve) => this.#ringing.set(ticket, resolve));
  }

  onRing(take: TakeCall): void {
    this.#take = take;
  }

  async #answer(call: number, question: unknown): Promise<void> {
    const answer = await this.#take(question);
    // Nobody would end the call.
    if (this.#isLineGone) return;
    // First, so that the caller knows of the call before it hears anything of it.
    void this.#line.say('answer', { call, greeting: answer?.greeting ?? null });
    answer?.talk(this.#open(call));
  }

  #open(call: number): CallEnd {
    const end = new CallEnd({
      say: (said) => void this.#line.say('say', { call, said }),
      end: () => {
        if (this.#calls.delete(call)) void this.#line.say('end', { call });
      },
    });
    this.#calls.set(call, end);
    return end;
  }

  #close(call: number): void {
    const end = this.#calls.get(call);
    this.#calls.delete(call);
    end?.onEnded();
  }

  #closeAll(): void {
    this.#isLineGone = true;
    for (const tell of this.#ringing.values()) tell('unsure');
    this.#ringing.clear();
    for (const call of [...this.#calls.keys()]) this.#close(call);
  }
}

/** How one end of a call reaches the other. */
interface Wire {
  say(said: unknown): void;
  end(): void;
}

class CallEnd implements Call {
  readonly #wire: Wire;
  readonly #ended = Promise.withResolvers<void>();
  /** What was said before anybody listened. */
  #unheard: unknown[] = [];
  #listener: ((said: unknown) => void) | null = null;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  say(said: unknown): void {
    this.#wire.say(said);
  }

  hear(listener: (said: unknown) => void): void {
    this.#listener = listener;
    for (const said of this.#unheard.splice(0)) listener(said);
  }

  onEnd(listener: () => void): void {
    void this.#ended.promise.then(listener);
  }

  end(): void {
    this.#wire.end();
  }

  onSaid(said: unknown): void {
    if (this.#listener) this.#listener(said);
    else this.#unheard.push(said);
  }

  onEnded(): void {
    this.#ended.resolve();
  }
}
