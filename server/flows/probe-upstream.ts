/**
 * The paid probe: a real generation and a real edit at the lowest quality, to see an upstream at
 * work before it serves anybody. Its operator pays for the pictures; no wallet is touched.
 */
import sharp from 'sharp';
import { checkPicture, type Picture } from '../images/picture.ts';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { inspectImage } from '../lib/inspect-image.ts';
import {
  type Adapter,
  type Capabilities,
  type Fault,
  type ImageJob,
  UpstreamError,
  type UpstreamFinal,
  type UpstreamWarning,
} from '../upstreams/upstream.ts';
import { type AskedUpstream, askUpstream, type UpstreamAccess } from './ask-upstream.ts';

export type ProbeOperation = 'generation' | 'edit';

/** What a probe is going to do, to be agreed to before it costs anything. */
export interface ProbePlan {
  /** Pictures that will be asked for, each of which the operator may have to pay. */
  operations: readonly ProbeOperation[];
  quality: ImageJob['quality'];
  size: { width: number; height: number };
}

export interface ProbeResult {
  operation: ProbeOperation;
  tookMs: number;
  outcome:
    | {
        kind: 'made';
        picture: Picture;
        upstreamRequestId: string | null;
        warnings: readonly UpstreamWarning[];
      }
    | { kind: 'failed'; fault: Fault; message: string; possiblyCharged: boolean };
}

interface ProbeInput extends AskedUpstream {
  upstreamModel: string;
  clock: Clock;
  /** Cancels the probe, and with it the call under way. */
  signal: AbortSignal;
}

/** For one picture. */
export const probeMsMax = 120_000;

const probeSize = { width: 1024, height: 1024 };
const prompt = 'A plain red ball on a white table';

/** What the upstream model can do decides what is asked of it. */
export function planProbe(access: UpstreamAccess, input: ProbeInput): Promise<ProbePlan> {
  return askUpstream(access, input, async (adapter) => {
    const capabilities = adapter.capabilities(input.upstreamModel);
    return {
      operations: operationsOf(capabilities),
      quality: lowestQuality(capabilities),
      size: probeSize,
    };
  });
}

/** Makes the planned pictures one after the other, and gives each result as it comes. */
export async function* probeUpstream(
  access: UpstreamAccess,
  input: ProbeInput,
  plan: ProbePlan,
): AsyncGenerator<ProbeResult, void, void> {
  for (const operation of plan.operations) {
    const job = await jobFor(operation, plan, input.upstreamModel);
    yield await askUpstream(access, { ...input, waitMs: probeMsMax }, (adapter, context) =>
      probe(adapter, job, context),
    );
  }
}

async function probe(
  adapter: Adapter,
  job: ImageJob,
  context: Parameters<Adapter['run']>[1],
): Promise<ProbeResult> {
  const begun = context.clock.monotonic();
  const result = (outcome: ProbeResult['outcome']): ProbeResult => ({
    operation: job.operation,
    tookMs: Math.round(context.clock.monotonic() - begun),
    outcome,
  });
  try {
    const final = await finalOf(adapter, job, context);
    const picture = await checkPicture(final.image, job);
    if (!picture) throw new UpstreamError('protocol', 'it did not deliver a whole picture');
    const { upstreamRequestId, warnings } = final;
    return result({ kind: 'made', picture, upstreamRequestId, warnings });
  } catch (error) {
    const failure: unknown = context.signal.aborted ? context.signal.reason : error;
    if (!(failure instanceof UpstreamError)) throw failure;
    const { fault, message, possiblyCharged } = failure;
    return result({ kind: 'failed', fault, message, possiblyCharged });
  }
}

async function finalOf(
  adapter: Adapter,
  job: ImageJob,
  context: Parameters<Adapter['run']>[1],
): Promise<UpstreamFinal> {
  for await (const event of adapter.run(job, context)) {
    if (event.kind === 'final') return event;
  }
  throw new UpstreamError('protocol', 'it ended without a picture', { possiblyCharged: true });
}

function operationsOf({ generation, edit }: Capabilities): readonly ProbeOperation[] {
  return [...(generation ? ['generation' as const] : []), ...(edit ? ['edit' as const] : [])];
}

function lowestQuality({ qualities }: Capabilities): ImageJob['quality'] {
  return qualities.includes('low') ? 'low' : must(qualities[0], 'a quality of the upstream model');
}

async function jobFor(
  operation: ProbeOperation,
  { quality, size }: ProbePlan,
  upstreamModel: string,
): Promise<ImageJob> {
  return {
    operation,
    upstreamModel,
    prompt,
    size,
    quality,
    background: 'auto',
    format: 'png',
    compression: null,
    partialImages: 0,
    inputFidelity: null,
    moderation: null,
    referenceImages: operation === 'edit' ? [await referenceImage(size)] : [],
    mask: null,
    pictureIndex: 0,
    traceId: 'probe',
    attempt: 1,
    extra: {},
  };
}

/** A grey table to put the ball on. */
async function referenceImage(size: ProbePlan['size']): Promise<ImageJob['referenceImages'][0]> {
  const bytes = await sharp({ create: { ...size, channels: 3, background: '#b8b8b8' } })
    .png()
    .toBuffer();
  return { ...must(inspectImage({ encoding: 'raw', bytes }), 'a picture of our own'), bytes };
}
