/** One picture through the AI SDK, at the level of its models: one call, never a second try. */
import type { ImageModelV4 } from '@ai-sdk/provider';
import { z } from 'zod';
import { abortOf } from '../../lib/abort.ts';
import { withoutLineBreaks } from '../../lib/pictures/base64.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import {
  type ImageJob,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamFinal,
} from '../upstream.ts';
import { refuseUnsupported } from '../wire/capable.ts';
import { callFor, warningsFor } from './call.ts';
import { cancelRunning } from './cancel-running.ts';
import { Cloakroom } from './cloakroom.ts';
import { mergeExtra } from './extra.ts';
import { capabilitiesOf, type ModelRow, rowFor } from './models.ts';
import { errorOfSdk } from './sdk-error.ts';
import type { Service } from './service.ts';
import { refuseSilentLoss } from './silent-loss.ts';
import { SdkTransport } from './transport.ts';
import type { OpenModel, Vendor } from './vendor.ts';

/** What the SDK gives back. */
type SdkResult = Awaited<ReturnType<ImageModelV4['doGenerate']>>;

/** `service.signal` ends it at once, whatever the SDK is waiting for. */
export async function* attemptPicture(
  job: ImageJob,
  service: Service,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { vendor, signal } = service;
  signal.throwIfAborted();
  const row = rowFor(vendor.models, job.upstreamModel);
  refuseUnsupported(job, capabilitiesOf(row));
  const cloakroom = new Cloakroom();
  const complete = (wish: unknown) => withExtra(wish, job, cloakroom);
  const transport = new SdkTransport({ service, cloakroom, complete });
  let isDone = false;
  try {
    const call = await callFor(job, row, { vendor, cloakroom });
    const openModel = await loadPackage(vendor);
    const wiring = { model: job.upstreamModel, baseURL: service.baseUrl, fetch: transport.fetch };
    // Some packages heed no signal between their polls; then the next one fails in the transport.
    const result = orStopped(generate(openModel, wiring, { ...call, abortSignal: signal }), signal);
    const accepted = await Promise.race([acceptance(transport), result.then(() => null)]);
    if (accepted) yield accepted;
    const final = finalOf(await result, { job, row, cloakroom, transport });
    isDone = true;
    yield final;
  } catch (error) {
    const { wasAnswered: possiblyCharged } = transport;
    if (signal.aborted) throw new UpstreamError('canceled', 'stopped by us', { possiblyCharged });
    throw errorOfSdk(error, transport);
  } finally {
    if (!isDone) cancelRunning(service, transport);
  }
}

async function loadPackage(vendor: Vendor): Promise<OpenModel> {
  try {
    return await vendor.load();
  } catch (cause) {
    throw new UpstreamError('unavailable', `the package for ${vendor.title} cannot be loaded`, {
      cause,
    });
  }
}

/** Whatever it throws, it rejects with. */
async function generate(
  openModel: OpenModel,
  wiring: Parameters<OpenModel>[0],
  call: Parameters<ImageModelV4['doGenerate']>[0],
): Promise<SdkResult> {
  return await openModel(wiring).doGenerate(call);
}

async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await Promise.race([work, abortOf(signal)]);
}

async function acceptance(transport: SdkTransport): Promise<UpstreamEvent> {
  return { kind: 'accepted', upstreamRequestId: await transport.accepted };
}

function withExtra(wish: unknown, job: ImageJob, cloakroom: Cloakroom): unknown {
  const { prompt, upstreamModel, extra } = job;
  // Replicate takes a model's version in a field of its own.
  const ours = new Set([prompt, upstreamModel, ...upstreamModel.split(':').slice(1)]);
  return mergeExtra(wish, extra, (text) => ours.has(text) || cloakroom.isTicket(text));
}

function finalOf(
  result: SdkResult,
  parts: { job: ImageJob; row: ModelRow; cloakroom: Cloakroom; transport: SdkTransport },
): UpstreamFinal {
  const { job, row, cloakroom, transport } = parts;
  refuseSilentLoss(result.warnings);
  const [image] = result.images;
  if (image === undefined || image.length === 0) {
    const isRefusal = result.isRetryable === false;
    throw isRefusal
      ? new UpstreamError('refused', 'the content was declined')
      : new UpstreamError('protocol', 'the answer has no picture');
  }
  return {
    kind: 'final',
    image: pictureOf(image, cloakroom),
    revisedPrompt: revisedPromptOf(result),
    actual: { quality: null, background: null },
    tokens: transport.tokens,
    upstreamRequestId: transport.upstreamRequestId,
    warnings: warningsFor(job, row),
  };
}

/** By its ticket; a picture so short that it was not taken out of its answer is base64 text. */
function pictureOf(image: string | Uint8Array, cloakroom: Cloakroom): EncodedImage {
  const text = typeof image === 'string' ? image : Buffer.from(image).toString('latin1');
  const picture = cloakroom.give(text);
  if (picture) return picture;
  return { encoding: 'base64', ascii: withoutLineBreaks(Buffer.from(text, 'latin1')) };
}

const revisedSchema = z.object({ revisedPrompt: z.string().min(1) });

function revisedPromptOf({ providerMetadata = {} }: SdkResult): string | null {
  for (const { images } of Object.values(providerMetadata)) {
    const said = revisedSchema.safeParse(images[0]);
    if (said.success) return said.data.revisedPrompt;
  }
  return null;
}
