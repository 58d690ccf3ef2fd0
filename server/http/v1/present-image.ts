/** The wire form of finished and partial pictures. Pictures are spliced in as bytes. */
import type { ImageFormat, Operation, ResponseFormat } from '../../../shared/image-options.ts';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import type { MadePicture } from '../../flows/requests/attempts/attempt.ts';
import type { RunResult } from '../../flows/requests/runs/answerable-run.ts';
import { must } from '../../lib/assert.ts';
import { encodeBase64 } from '../../lib/pictures/base64.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { mediaTypeOf } from '../../lib/pictures/inspect-image.ts';

export interface MoneyShown {
  cost: Amount;
  balance: Amount;
  currency: string;
}

/**
 * All that OpenAI's answers know, other than its events: typed clients read no `auto`, which stands for what
 * nobody told, and would fail on a picture that is already paid for.
 */
const knownBackgrounds: readonly string[] = ['opaque', 'transparent'];

/** The JSON answer (specification, section 2.2) in pieces to be written one after the other. */
export function imagesResponse(result: RunResult, format: ResponseFormat): readonly Buffer[] {
  const pieces: Buffer[] = [text(`{"created":${result.created},"data":[`)];
  for (const [index, picture] of result.pictures.entries()) {
    if (index > 0) pieces.push(text(','));
    const revised = JSON.stringify(picture.revisedPrompt);
    pieces.push(...pictureField(picture.image, picture.format, format));
    pieces.push(text(`,"revised_prompt":${revised}}`));
  }
  const { background, ...used } = usedForm(result.pictures);
  const isKnown = knownBackgrounds.includes(background);
  const told = { ...used, ...(isKnown && { background }), usage: usageOf(result) };
  const rest = JSON.stringify(told);
  pieces.push(text(`],${rest.slice(1)}`));
  return pieces;
}

function pictureField(
  image: EncodedImage,
  format: ImageFormat,
  responseFormat: ResponseFormat,
): readonly Buffer[] {
  const start = responseFormat === 'url' ? `{"url":"${dataUrlStart(format)}` : '{"b64_json":"';
  return [text(start), asciiOf(image), text('"')];
}

export interface PartialShown {
  operation: Operation;
  responseFormat: ResponseFormat;
  index: number;
  image: EncodedImage;
  /** Of this picture, by its own header; the asked one where that cannot be read. */
  format: ImageFormat;
  size: string;
  quality: string;
  background: string;
  /** Unix seconds. */
  createdAt: number;
}

/** A `*.partial_image` event. */
export function partialEvent(partial: PartialShown): readonly Buffer[] {
  return streamEvent({
    name: `${eventPrefixes[partial.operation]}.partial_image`,
    image: partial.image,
    format: partial.format,
    responseFormat: partial.responseFormat,
    fields: {
      partial_image_index: partial.index,
      created_at: partial.createdAt,
      size: partial.size,
      quality: partial.quality,
      background: partial.background,
      output_format: partial.format,
    },
  });
}

/** The `*.completed` event that ends a stream; `tintype` says what the headers of a plain answer say. */
export function completedEvent(
  result: RunResult,
  {
    operation,
    responseFormat,
    money,
    receipt,
  }: {
    operation: Operation;
    responseFormat: ResponseFormat;
    money: MoneyShown;
    receipt: ReceiptShown | null;
  },
): readonly Buffer[] {
  const picture = must(result.pictures[0], 'the picture of a success');
  return streamEvent({
    name: `${eventPrefixes[operation]}.completed`,
    image: picture.image,
    format: picture.format,
    responseFormat,
    fields: {
      created_at: result.created,
      ...usedForm(result.pictures),
      usage: usageOf(result),
      tintype: {
        cost: formatAmount(money.cost),
        balance: formatAmount(money.balance),
        currency: money.currency,
        ...(receipt && presentReceipt(result, receipt)),
      },
    },
  });
}

/** What only the console is told beside. */
export interface ReceiptShown {
  /** Null for a repeat. */
  durationMs: number | null;
}

function presentReceipt({ traceId, charged, pictures }: RunResult, { durationMs }: ReceiptShown) {
  return {
    trace_id: traceId,
    cost_micros: charged.cost,
    balance_micros: charged.balance,
    duration_ms: durationMs,
    revised_prompt: pictures[0]?.revisedPrompt ?? null,
  };
}

/** Edit events use the prefix `image_edit` (specification, section 6). */
const eventPrefixes: Readonly<Record<Operation, string>> = {
  generation: 'image_generation',
  edit: 'image_edit',
};

interface StreamEvent {
  name: string;
  image: EncodedImage;
  format: ImageFormat;
  responseFormat: ResponseFormat;
  fields: Record<string, unknown>;
}

function streamEvent(event: StreamEvent): readonly Buffer[] {
  const ascii = asciiOf(event.image);
  const pieces = [text(`event: ${event.name}\ndata: {"type":"${event.name}","b64_json":"`), ascii];
  // Events always carry `b64_json`; the data URL comes in addition.
  if (event.responseFormat === 'url') {
    pieces.push(text(`","url":"${dataUrlStart(event.format)}`), ascii);
  }
  pieces.push(text(`",${JSON.stringify(event.fields).slice(1)}\n\n`));
  return pieces;
}

/** What was really used: the first picture stands for all. */
function usedForm(pictures: readonly MadePicture[]) {
  const picture = must(pictures[0], 'the picture of a success');
  return {
    size: `${picture.width}x${picture.height}`,
    quality: picture.quality,
    background: picture.background,
    output_format: picture.format,
  };
}

/**
 * The specification's `images` together with OpenAI's token counts, without which some clients
 * fail on a picture that is already paid for.
 */
function usageOf({ pictures }: RunResult) {
  const total = { input: 0, output: 0, inputText: 0, inputImage: 0 };
  for (const { tokens } of pictures) {
    total.input += tokens?.input ?? 0;
    total.output += tokens?.output ?? 0;
    total.inputText += tokens?.inputText ?? 0;
    total.inputImage += tokens?.inputImage ?? 0;
  }
  return {
    images: pictures.length,
    input_tokens: total.input,
    output_tokens: total.output,
    total_tokens: total.input + total.output,
    input_tokens_details: { text_tokens: total.inputText, image_tokens: total.inputImage },
  };
}

function asciiOf(image: EncodedImage): Buffer {
  return image.encoding === 'base64' ? image.ascii : encodeBase64(image.bytes);
}

function dataUrlStart(format: ImageFormat): string {
  return `data:${mediaTypeOf(format)};base64,`;
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8');
}
