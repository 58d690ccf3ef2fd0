/** Workers that can call each other, without the processes: what is said is copied, and comes later. */
import { EventEmitter } from 'node:events';
import { Line, type Pipe } from '../../../server/cluster/line.ts';
import { Switchboard } from '../../../server/cluster/switchboard.ts';
import type { SupervisorEnd, ToSupervisor, WorkerEnd } from '../../../server/cluster/topics.ts';
import { WorkerCalls } from '../../../server/cluster/worker-calls.ts';
import { must } from '../../../server/lib/assert.ts';
import type { Clock } from '../../../server/lib/clock.ts';

interface Worker {
  ends: readonly [PipeEnd, PipeEnd];
  line: SupervisorEnd<never>;
  workerLine: WorkerEnd<never>;
  calls: WorkerCalls<never>;
}

export class ConnectedWorkers {
  readonly switchboard: Switchboard<never>;
  readonly #workers = new Map<number, Worker>();

  /** @param count workers, numbered from 1 */
  constructor(clock: Clock, count: number) {
    this.switchboard = new Switchboard(clock, (id) => this.#workers.get(id)?.line);
    for (let id = 1; id <= count; id++) this.#workers.set(id, this.#start(id));
  }

  callsOf(id: number): WorkerCalls<never> {
    return must(this.#workers.get(id), 'a worker').calls;
  }

  /** Neither side of its line says anything any more. */
  kill(id: number): void {
    const { ends } = must(this.#workers.get(id), 'a worker');
    this.#workers.delete(id);
    for (const end of ends) end.close();
  }

  /** What a worker says to its supervisor by itself. */
  tell<T extends keyof ToSupervisor>(id: number, topic: T, said: ToSupervisor[T]): void {
    void must(this.#workers.get(id), 'a worker').workerLine.say(topic, said);
  }

  /** It stands still: whatever it is told it does not hear before it goes on. */
  freeze(id: number): void {
    const [, its] = must(this.#workers.get(id), 'a worker').ends;
    its.freeze();
  }

  /** It goes on, and hears what it was told meanwhile. */
  thaw(id: number): void {
    const [, its] = must(this.#workers.get(id), 'a worker').ends;
    its.thaw();
  }

  /** Whatever is on its way has come. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  }

  #start(id: number): Worker {
    const [own, its] = pipe();
    const line: SupervisorEnd<never> = new Line(own);
    const others = () => [...this.#workers.keys()].filter((other) => other !== id);
    this.switchboard.listen(id, line, others);
    line.onGone(() => this.switchboard.forget(id));
    const workerLine: WorkerEnd<never> = new Line(its);
    return { ends: [own, its], line, workerLine, calls: new WorkerCalls(workerLine) };
  }
}

class PipeEnd extends EventEmitter implements Pipe {
  other: PipeEnd | null = null;
  #isOpen = true;
  /** What it was told since it stands still. */
  #unheard: unknown[] | null = null;
  readonly #sent: (() => void)[] = [];

  /** As Node does: what was sent meanwhile is heard together, before anything that waits for a promise goes on. */
  send(message: object, done: (error: Error | null) => void): void {
    const copy = structuredClone(message);
    this.#sent.push(() => {
      this.other?.hear(copy);
      done(null);
    });
    if (this.#sent.length > 1) return;
    setImmediate(() => {
      for (const deliver of this.#sent.splice(0)) process.nextTick(deliver);
    });
  }

  isConnected(): boolean {
    return this.#isOpen;
  }

  hear(message: unknown): void {
    if (this.#unheard) this.#unheard.push(message);
    else if (this.#isOpen) this.emit('message', message);
  }

  freeze(): void {
    this.#unheard = [];
  }

  thaw(): void {
    const unheard = this.#unheard ?? [];
    this.#unheard = null;
    for (const message of unheard) this.hear(message);
  }

  close(): void {
    this.#isOpen = false;
    this.emit('disconnect');
  }
}

function pipe(): [PipeEnd, PipeEnd] {
  const ends: [PipeEnd, PipeEnd] = [new PipeEnd(), new PipeEnd()];
  [ends[0].other, ends[1].other] = [ends[1], ends[0]];
  return ends;
}
