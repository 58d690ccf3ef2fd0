/**
 * The paid probe: a real generation and a real edit at the lowest quality, to see an upstream at
 * work before it serves anybody. Its operator pays for the pictures; no wallet is touched.
 */
import type { ImageQuality, Operation } from '../../../shared/image-options.ts';
import type { UpstreamKey } from '../../catalog/upstream.ts';
import { plainPicture } from '../../images/plain-picture.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import type { Adapter, Capabilities, ImageJob } from '../../upstreams/upstream.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { type AttemptInput, type AttemptOutcome, attempt } from '../requests/attempts/attempt.ts';
import { type AskedUpstream, askUpstream, type UpstreamAccess } from './ask-upstream.ts';

/** What a probe is going to do, to be agreed to before it costs anything. */
export interface ProbePlan {
  /** One picture for each, which the operator may have to pay; none where the model makes none. */
  operations: readonly Operation[];
  quality: ImageQuality;
  size: { width: number; height: number };
}

export interface ProbeResult {
  operation: Operation;
  outcome: AttemptOutcome;
}

export interface ProbeInput extends AskedUpstream {
  upstreamModel: string;
  clock: Clock;
  /** Cancels the probe, and with it the call under way. */
  signal: AbortSignal;
}

/** For one picture. */
export const probeMsMax = 120_000;

const probeSize = { width: 1024, height: 1024 };
const prompt = 'A plain red ball on the table';
const tableGrey = '#b8b8b8';

/** What the upstream model can do decides what is asked of it. Calls nobody. */
export function planProbe(access: UpstreamAccess, input: ProbeInput): Promise<ProbePlan> {
  return askUpstream(access, input, async (adapter) => {
    const capabilities = adapter.capabilities(input.upstreamModel);
    return {
      operations: (['generation', 'edit'] as const).filter((operation) => capabilities[operation]),
      quality: lowestQuality(capabilities),
      size: probeSize,
    };
  });
}

/** Writes down, before it does, that a probe costs money: who asked for it, and what for. */
export function noteProbe(
  admin: Admin,
  { upstream, key, upstreamModel }: ProbeInput,
  { operations }: ProbePlan,
): Promise<void> {
  return adminChange(admin, async () => ({
    result: undefined,
    entry: {
      action: 'upstream.probe',
      subject: upstream.id,
      detail: {
        name: upstream.name,
        key: key?.name ?? null,
        upstream_model: upstreamModel,
        operations,
      },
      topic: null,
    },
  }));
}

/**
 * Makes the planned pictures one after the other, and gives each result as it comes. Ends with the
 * result of the call that was canceled.
 */
export async function* probeUpstream(
  access: UpstreamAccess,
  input: ProbeInput,
  plan: ProbePlan,
): AsyncGenerator<ProbeResult, void, void> {
  for (const operation of plan.operations) {
    if (input.signal.aborted) return;
    const question = { ...input, waitMs: probeMsMax };
    const outcome = await askUpstream(access, question, async (adapter, asked) => {
      const { credential, ...context } = asked;
      return await attempt({
        ...context,
        adapter,
        upstreamName: input.upstream.name,
        key: openedKey(input.key, credential),
        strictMask: false,
        job: await jobFor(operation, plan, { ...input, adapter }),
        unwanted: context.signal,
        onPartial: async () => {},
      });
    });
    yield { operation, outcome };
  }
}

function openedKey(key: UpstreamKey | null, credential: string | null): AttemptInput['key'] {
  return key && credential !== null ? { name: key.name, credential } : null;
}

function lowestQuality({ qualities }: Capabilities): ImageQuality {
  return qualities.includes('low') ? 'low' : (qualities[0] ?? 'auto');
}

async function jobFor(
  operation: Operation,
  { quality, size }: ProbePlan,
  { upstreamModel, clock, adapter }: ProbeInput & { adapter: Adapter },
): Promise<ImageJob> {
  const { referenceImagesMin = 1 } = adapter.capabilities(upstreamModel);
  const references = operation === 'edit' ? referenceImagesMin : 0;
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
    referenceImages: await Promise.all(
      Array.from({ length: references }, () => plainPicture(size, tableGrey)),
    ),
    mask: null,
    pictureIndex: 0,
    // Of a request that never was; an upstream that is told it must not see one twice.
    traceId: makeId('tr', clock.now()),
    attempt: 1,
    extra: {},
  };
}
