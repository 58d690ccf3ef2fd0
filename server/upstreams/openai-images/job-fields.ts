/**
 * What a job says besides its pictures, in the words of the dialect: the same for generations and
 * edits, for JSON and forms. Read it beside the vendor's list of fields.
 */
import { type ImageJob, UpstreamError, type UpstreamWarning } from '../upstream.ts';
import { withExtra } from '../wire/extra.ts';
import { seedOf } from '../wire/seed.ts';
import type { EditStyle, Traits } from './dialect.ts';
import { numberedField } from './edit-body.ts';
import { strippedPrompt } from './prompt.ts';
import type { Service } from './service.ts';
import { sizeFields } from './size-fields.ts';

export interface JobFields {
  /** In the order in which they are sent; none of them is undefined. */
  fields: Readonly<Record<string, unknown>>;
  warnings: readonly UpstreamWarning[];
}

type Fields = Readonly<Record<string, unknown>>;
type Part = { fields: Fields; warning: UpstreamWarning | null };

export function jobFields(job: ImageJob, service: Service, edit: EditStyle | null): JobFields {
  const traits = service.traits(job.upstreamModel);
  const parts = [
    modelPart(job, traits),
    promptPart(job, traits, service),
    sizePart(job, traits, edit),
    qualityPart(job, traits),
    backgroundPart(job, traits),
    formatPart(job, traits),
    compressionPart(job, traits),
    inputFidelityPart(job, traits),
    moderationPart(job, traits, edit),
    sent(traits.responseFormat !== null && { response_format: traits.responseFormat }),
    streamPart(job, traits, service),
    seedPart(job, traits),
    sent(traits.constants),
  ];
  const fields: Record<string, unknown> = {};
  for (const part of parts) Object.assign(fields, part.fields);
  return {
    fields: withExtra(fields, { extra: job.extra, kept: keptFields(traits) }),
    warnings: parts.flatMap(({ warning }) => (warning === null ? [] : [warning])),
  };
}

function sent(fields: Fields | false): Part {
  return { fields: fields || {}, warning: null };
}

function dropped(warning: UpstreamWarning): Part {
  return { fields: {}, warning };
}

function modelPart({ upstreamModel }: ImageJob, { sendsModel }: Traits): Part {
  return sent(sendsModel && { model: upstreamModel });
}

function promptPart(job: ImageJob, traits: Traits, { dialect, settings }: Service): Part {
  const stripped = settings.keepPromptDirectives
    ? job.prompt
    : strippedPrompt(job.prompt, dialect.promptDirectives);
  const prompt = `${stripped}${seedOrder(job, traits)}`;
  return { fields: { prompt }, warning: stripped === job.prompt ? null : 'prompt_stripped' };
}

function sizePart({ size }: ImageJob, traits: Traits, edit: EditStyle | null): Part {
  const { fields, isApproximate } = sizeFields(size, edit?.size ?? traits.size);
  return { fields, warning: isApproximate ? 'size_approximated' : null };
}

function qualityPart({ quality }: ImageJob, traits: Traits): Part {
  if (quality === 'auto') return sent(false);
  const word = traits.quality?.words[quality];
  if (!traits.quality || word === undefined) return dropped('quality_ignored');
  return sent({ [traits.quality.field]: word });
}

function backgroundPart({ background }: ImageJob, traits: Traits): Part {
  if (background === 'auto') return sent(false);
  const word = traits.background?.words[background];
  if (traits.background && word !== undefined) return sent({ [traits.background.field]: word });
  // What makes no transparent pictures makes opaque ones.
  if (background === 'opaque') return sent(false);
  throw new UpstreamError('unsupported', 'it makes no transparent pictures');
}

function formatPart({ format }: ImageJob, traits: Traits): Part {
  const { field, words } = traits.format;
  const word = words[format];
  return sent(field !== null && word !== undefined && { [field]: word });
}

function compressionPart({ format, compression }: ImageJob, traits: Traits): Part {
  // OpenAI refuses a compression of PNG, and nothing else has one.
  if (compression === null || format === 'png') return sent(false);
  // What it does not deliver is encoded here, as compressed as was asked.
  if (traits.format.words[format] === undefined) return sent(false);
  if (traits.compression === null) return dropped('compression_ignored');
  return sent({ [traits.compression]: compression });
}

function inputFidelityPart({ inputFidelity, operation }: ImageJob, traits: Traits): Part {
  if (inputFidelity === null || operation === 'generation') return sent(false);
  const word = traits.inputFidelity?.words[inputFidelity];
  if (!traits.inputFidelity || word === undefined) return dropped('input_fidelity_ignored');
  return sent({ [traits.inputFidelity.field]: word });
}

function moderationPart({ moderation }: ImageJob, traits: Traits, edit: EditStyle | null): Part {
  if (moderation !== 'low') return sent(false);
  if (traits.moderation === null || edit?.body.as === 'multipart') {
    return dropped('moderation_ignored');
  }
  return sent({ [traits.moderation]: moderation });
}

function streamPart({ partialImages }: ImageJob, traits: Traits, { settings }: Service): Part {
  if (traits.stream === 'none') return sent(false);
  if (partialImages === 0 && settings.stream !== 'always') return sent(false);
  const saysHowMany = traits.stream === 'openai' && partialImages > 0;
  return sent({ stream: true, ...(saysHowMany && { partial_images: partialImages }) });
}

const seedMax = 2 ** 31 - 1;

function seedPart(job: ImageJob, { seed }: Traits): Part {
  return sent(seed !== null && 'field' in seed && { [seed.field]: seedOf(job, seedMax) });
}

function seedOrder(job: ImageJob, { seed }: Traits): string {
  if (seed === null || 'field' in seed) return '';
  return seed.behindPrompt.replace('{seed}', String(seedOf(job, seedMax)));
}

/** The names under which a model, a prompt or a picture is sent, here or by a neighbour. */
function keptFields({ edit, maskedEdit }: Traits): readonly string[] {
  const styles = [edit, maskedEdit].filter((style) => style !== null);
  return [
    ...['model', 'prompt', 'image', 'image[]', 'images', 'mask'],
    ...styles.flatMap(({ mask }) => (mask ? [mask.field] : [])),
    ...styles.flatMap(pictureFields),
  ];
}

function pictureFields({ body, referenceImagesMax }: EditStyle): readonly string[] {
  if (body.as === 'multipart') return [body.image];
  return [body.one, body.several ?? body.one].flatMap(({ field }) =>
    Array.from({ length: referenceImagesMax }, (_, index) => numberedField(field, index)),
  );
}
