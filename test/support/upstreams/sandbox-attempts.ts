/** Runs attempts of the sandbox upstream on a clock that stands still. */
import { sandboxKind } from '../../../server/upstreams/sandbox/adapter.ts';
import {
  type Adapter,
  type ImageJob,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamFinal,
} from '../../../server/upstreams/upstream.ts';
import { ManualClock } from '../manual-clock.ts';
import { plainJob } from './plain-job.ts';

/** A small and quick job. */
const small: ImageJob = {
  ...plainJob,
  upstreamModel: 'sandbox-studio',
  prompt: 'a fox in the mountains',
  size: { width: 96, height: 64 },
  pictureIndex: 2,
};

export function adapterWith(settings: Record<string, unknown>): Adapter {
  return sandboxKind.create({ name: 'sandbox', baseUrl: null, settings }, noHttp);
}

function noHttp(): never {
  throw new Error('the sandbox calls nobody');
}

export function start(job: Partial<ImageJob>, settings: Record<string, unknown> = {}) {
  const clock = new ManualClock();
  const controller = new AbortController();
  const context = { signal: controller.signal, clock, credential: null };
  const events = adapterWith(settings).run({ ...small, ...job }, context);
  /** Waits through one step of time for each event, and says when each came. */
  const arrivals = async (stepsMs: readonly number[]) => {
    const seen: [kind: string | undefined, atMs: number][] = [];
    for (const stepMs of stepsMs) {
      const next = events.next();
      if (stepMs > 0) {
        await clock.untilSleeping();
        // Only the last millisecond of a step may bring the event.
        clock.advance(stepMs - 1);
        if (clock.sleeping === 0) throw new Error('the event came early');
        clock.advance(1);
      }
      seen.push([(await next).value?.kind, clock.monotonic()]);
    }
    return seen;
  };
  return { clock, controller, events, arrivals };
}

interface Outcome {
  events: UpstreamEvent[];
  error: UpstreamError | null;
}

export async function outcomeOf(job: Partial<ImageJob>, settings = {}): Promise<Outcome> {
  const events: UpstreamEvent[] = [];
  try {
    for await (const event of start(job, settings).events) events.push(event);
  } catch (error) {
    if (error instanceof UpstreamError) return { events, error };
    throw error;
  }
  return { events, error: null };
}

export async function eventsOf(job: Partial<ImageJob>, settings = {}): Promise<UpstreamEvent[]> {
  const { events, error } = await outcomeOf(job, settings);
  if (error !== null) throw error;
  return events;
}

export async function finalOf(job: Partial<ImageJob>, settings = {}): Promise<UpstreamFinal> {
  const last = (await eventsOf(job, settings)).at(-1);
  if (last?.kind !== 'final') throw new Error('the attempt did not end with a picture');
  return last;
}

export async function failureOf(job: Partial<ImageJob>): Promise<UpstreamError> {
  const { error } = await outcomeOf(job);
  if (error === null) throw new Error('the attempt did not fail');
  return error;
}

export function picturesOf(events: readonly UpstreamEvent[]): Buffer[] {
  return events.flatMap((event) =>
    event.kind === 'accepted' || event.kind === 'queued' ? [] : [rawOf(event)],
  );
}

export function bytesOf(final: UpstreamFinal): Buffer {
  return rawOf(final);
}

export function lastBytes({ events }: Outcome): Buffer | undefined {
  return picturesOf(events).at(-1);
}

function rawOf({ image }: Extract<UpstreamEvent, { kind: 'partial' | 'final' }>): Buffer {
  if (image.encoding !== 'raw') throw new Error('the sandbox answers with raw bytes');
  return image.bytes;
}
