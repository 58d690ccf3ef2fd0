/** Clients that ask for one picture after the other through a proxy, until they are told to stop. */

export interface Outcome {
  /** Null when the connection broke, or nobody answered in time. */
  status: number | null;
  traceId: string | null;
}

/** How long a caller waits for a picture that takes half a second. */
const patienceMs = 15_000;

export class Callers {
  readonly outcomes: Outcome[] = [];
  readonly #running: readonly Promise<void>[];
  #stopped = false;

  constructor(count: number, { origin, key }: { origin: string; key: string }) {
    this.#running = Array.from({ length: count }, async () => {
      while (!this.#stopped)
        this.outcomes.push(await askForPicture({ origin, key, model: 'gen-image-2' }));
    });
  }

  get succeeded(): number {
    return this.outcomes.filter(({ status }) => status === 200).length;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }
}

async function askForPicture({
  origin,
  key,
  model,
}: {
  origin: string;
  key: string;
  model: string;
}): Promise<Outcome> {
  try {
    const answer = await fetch(`${origin}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, prompt: 'A bridge', size: '1024x1024' }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.arrayBuffer();
    return { status: answer.status, traceId: answer.headers.get('x-request-id') };
  } catch {
    // What happened on the way is in the proxy's log.
    return { status: null, traceId: null };
  }
}

export interface StreamOutcome {
  status: number;
  seconds: number;
  /** Comments that kept it open. */
  comments: number;
  lastEvent: string | null;
}

/** A streamed picture of the model `slow`. */
export async function streamSlowPicture(origin: string, key: string): Promise<StreamOutcome> {
  const begun = performance.now();
  const answer = await fetch(`${origin}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'slow', prompt: 'A glacier', stream: true }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    seconds: (performance.now() - begun) / 1000,
    comments: text.split('\n').filter((line) => line.startsWith(':')).length,
    lastEvent: text.match(/^event: .*$/gm)?.at(-1) ?? null,
  };
}

/** Edits with references of this many bytes in all; resolves with the status. */
export async function editBigPictures(
  origin: string,
  { key, picture, count }: { key: string; picture: Buffer; count: number },
): Promise<number> {
  const form = new FormData();
  form.set('model', 'gen-image-2');
  form.set('prompt', 'All in one');
  for (let i = 0; i < count; i++) {
    form.append('image[]', new Blob([Uint8Array.from(picture)], { type: 'image/png' }), `${i}.png`);
  }
  const answer = await fetch(`${origin}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  await answer.arrayBuffer();
  return answer.status;
}
