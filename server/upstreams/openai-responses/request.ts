/**
 * An image job as the body of `POST /responses`. Source, to be compared line by line: the npm
 * package openai 7.55, `resources/responses/responses.d.ts`, interfaces `ResponseCreateParams`,
 * `ResponseInputImageContent` and `Tool.ImageGeneration`.
 */
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import type { ImageJob, UpstreamWarning } from '../upstream.ts';
import { withExtra } from '../wire/extra.ts';
import { Base64Text, jsonBody } from '../wire/picture-text.ts';
import { takesInputFidelity } from './image-models.ts';
import type { ResponsesSettings } from './settings.ts';

export interface ResponsesRequest {
  headers: Readonly<Record<string, string>>;
  body: readonly BodyPiece[];
  /** What the job asks for and is not sent. */
  warnings: readonly UpstreamWarning[];
}

export function requestOf(
  job: ImageJob,
  settings: ResponsesSettings,
  credential: string | null,
): ResponsesRequest {
  const { hostModel, instructions, reasoningEffort, imageModelIn } = settings;
  const body = {
    model: hostModel,
    ...(instructions !== '' && { instructions }),
    ...(reasoningEffort !== 'default' && { reasoning: { effort: reasoningEffort } }),
    input: [{ role: 'user', content: contentOf(job) }],
    tools: [toolOf(job, imageModelIn)],
    tool_choice: { type: 'image_generation' },
    // A second picture at the same time would be paid for and thrown away.
    parallel_tool_calls: false,
    store: false,
    stream: true,
  };
  return {
    headers: {
      ...credentialHeaders(settings, credential),
      ...(imageModelIn === 'azure-header' && {
        'x-ms-oai-image-generation-deployment': job.upstreamModel,
      }),
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: jsonBody(body),
    warnings: warningsOf(job),
  };
}

export function credentialHeaders(
  { credentialHeader }: ResponsesSettings,
  credential: string | null,
): Record<string, string> {
  if (credential === null) return {};
  return credentialHeader === 'api-key'
    ? { 'api-key': credential }
    : { authorization: `Bearer ${credential}` };
}

/** The mask is not among these: it belongs to the tool, and applies to the first picture. */
function contentOf({ prompt, referenceImages }: ImageJob) {
  const pictures = referenceImages.map((picture) => ({
    type: 'input_image',
    image_url: Base64Text.dataUrl(picture),
  }));
  return [{ type: 'input_text', text: prompt }, ...pictures];
}

function toolOf(job: ImageJob, imageModelIn: ResponsesSettings['imageModelIn']) {
  const { size, format, compression, partialImages, moderation, mask, extra } = job;
  const fields = {
    type: 'image_generation',
    ...(imageModelIn === 'tool' && { model: job.upstreamModel }),
    action: job.operation === 'edit' ? 'edit' : 'generate',
    size: size === 'auto' ? size : `${size.width}x${size.height}`,
    quality: job.quality,
    background: job.background,
    output_format: format,
    ...(compression !== null && format !== 'png' && { output_compression: compression }),
    ...(partialImages > 0 && { partial_images: partialImages }),
    ...(moderation !== null && { moderation }),
    ...(sendsInputFidelity(job) && { input_fidelity: job.inputFidelity }),
    ...(mask && { input_image_mask: { image_url: Base64Text.dataUrl(mask) } }),
  };
  return withExtra(fields, { extra, kept: keptFields });
}

/** The tool itself, its model and its pictures; the others are not its fields at all. */
const keptFields = ['type', 'model', 'prompt', 'n', 'input_image_mask'];

function sendsInputFidelity({ operation, upstreamModel, inputFidelity }: ImageJob): boolean {
  if (operation !== 'edit' || inputFidelity === null) return false;
  return takesInputFidelity(upstreamModel, inputFidelity);
}

function warningsOf(job: ImageJob): UpstreamWarning[] {
  const warnings: UpstreamWarning[] = [];
  if (job.compression !== null && job.format === 'png') warnings.push('compression_ignored');
  if (job.inputFidelity !== null && !sendsInputFidelity(job)) {
    warnings.push('input_fidelity_ignored');
  }
  return warnings;
}
