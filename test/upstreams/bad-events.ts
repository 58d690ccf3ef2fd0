/** How the events of an adapter go wrong: what {@link badHabits} are made of. */
import type { OutgoingAnswer } from '../../server/lib/outgoing/outgoing-answer.ts';
import { UpstreamError, type UpstreamEvent } from '../../server/upstreams/upstream.ts';
import { endInFaults } from '../../server/upstreams/wire/endings.ts';
import type { Habits } from './trivial-adapter.ts';

export async function* untilStopped(
  events: AsyncGenerator<UpstreamEvent, void, void>,
  signal: AbortSignal,
): AsyncGenerator<UpstreamEvent, void, void> {
  const stopped = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => stopped.reject(signal.reason));
  for (;;) {
    const { done, value } = await Promise.race([events.next(), stopped.promise]);
    if (done) return;
    yield value;
  }
}

/** Does not pass on that it was left. */
export async function* neverLeft(
  events: AsyncGenerator<UpstreamEvent, void, void>,
): AsyncGenerator<UpstreamEvent, void, void> {
  for (let next = await events.next(); !next.done; next = await events.next()) yield next.value;
}

export async function* twiceEnded(
  events: AsyncGenerator<UpstreamEvent, void, void>,
): AsyncGenerator<UpstreamEvent, void, void> {
  for await (const event of events) {
    yield event;
    if (event.kind === 'final') yield event;
  }
}

export async function* brokenAfter(
  events: AsyncGenerator<UpstreamEvent, void, void>,
): AsyncGenerator<UpstreamEvent, void, void> {
  yield* events;
  throw new UpstreamError('unavailable', 'the connection ended early');
}

/** Habits by which an error says more than it should. */
export function telling(
  secretOf: (context: Parameters<Habits['end']>[1], job: Parameters<Habits['end']>[2]) => string,
): Partial<Habits> {
  return {
    end: async function* (events, context, job) {
      try {
        yield* endInFaults(events, context.signal);
      } catch (cause) {
        if (!(cause instanceof UpstreamError)) throw cause;
        const words = `no picture of ${secretOf(context, job)}`;
        throw new UpstreamError(cause.fault, words, { possiblyCharged: cause.possiblyCharged });
      }
    },
  };
}

export async function bytesOf(answer: OutgoingAnswer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of answer.body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function begunPicture(answer: OutgoingAnswer): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer.body) pieces.push(piece);
  } catch {
    // Whatever it was.
  }
  const [, picture = ''] = String(Buffer.concat(pieces)).split('"picture":"');
  return picture.replace(/".*$/s, '');
}

export async function* quietlyEnded(
  answer: OutgoingAnswer,
): AsyncGenerator<{ data: unknown }, void, void> {
  yield { data: { picture: await begunPicture(answer) } };
}

export function firstCredential(): Habits['credentialOf'] {
  let first: string | null = null;
  return ({ credential }) => {
    first ??= credential;
    return first;
  };
}

/** Sends, of the jobs that are under way, always the first one's prompt. */
export function latePrompt(): Habits['fieldsOf'] {
  let first: string | null = null;
  return ({ prompt }) => {
    first ??= prompt;
    return { prompt: first };
  };
}

export async function fetchAnything(url: unknown): Promise<void> {
  await fetch(String(url), { redirect: 'manual' }).catch(() => {});
}
