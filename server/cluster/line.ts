/** What can be said to the other side, by topic. Both are of one version, so nothing is checked. */
export type Topics = Record<string, unknown>;

/** Either end of the pipe that Node opens between a process and its child. */
export interface Pipe {
  send(message: object, done: (error: Error | null) => void): unknown;
  isConnected(): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface Message {
  topic: string;
  said: unknown;
}

/** Carries what a supervisor and a worker say to each other. What the other side does not listen to is lost. */
export class Line<Out extends Topics, In extends Topics> {
  readonly #pipe: Pipe;
  readonly #listeners = new Map<keyof In, (said: never) => void>();

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
    // The other side died while something was handed to it; without a listener we would die of it too.
    // Its end is noticed by itself.
    pipe.on('error', () => {});
    pipe.on('message', (message) => {
      // Node's own messages do not come this way, and the other side sends no others.
      const { topic, said } = message as Message;
      // Whoever listens to a topic takes what is said of it.
      this.#listeners.get(topic)?.(said as never);
    });
  }

  /** Resolves when it was sent, or when it cannot be sent any more. */
  say<T extends keyof Out & string>(topic: T, said: Out[T]): Promise<void> {
    if (!this.#pipe.isConnected()) return Promise.resolve();
    // That the other side has gone is seen by its going, not by what could not be said to it.
    return new Promise((resolve) => this.#pipe.send({ topic, said }, () => resolve()));
  }

  /** One listener for each topic. */
  on<T extends keyof In>(topic: T, listener: (said: In[T]) => void): void {
    this.#listeners.set(topic, listener);
  }

  onGone(listener: () => void): void {
    this.#pipe.on('disconnect', listener);
  }
}
