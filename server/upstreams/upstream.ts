/**
 * What Tintype asks of an image service, whatever protocol it speaks.
 *
 * An adapter turns one {@link ImageJob} into one picture. It knows nothing of users, wallets,
 * prices, models of ours, or HTTP requests to us; it gets a job that is already valid and bytes
 * that are already checked, and it answers with events:
 *
 *     accepted?  →  queued*  →  partial*  →  final
 *
 * - `accepted` says that the upstream has taken the job on. From there a second try may cost the
 *   operator twice, so the router allows at most one more.
 * - `queued` says how many jobs of the upstream come before ours; the number only falls.
 * - `partial` is an intermediate picture. Indexes rise from 0. Never more than `job.partialImages`.
 * - `final` comes exactly once and is the last event.
 *
 * Everything else ends in one thrown {@link UpstreamError}, whose fault alone decides what the
 * router does next. A generator that returns without `final` counts as a `protocol` fault.
 *
 * The consumer stops an adapter in two ways: `context.signal` aborts, or it leaves the loop, which
 * runs the generator's `finally` blocks. Either way the adapter must close its upstream connection.
 *
 * Pictures stay bytes: raw, or base64 text as ASCII bytes ({@link EncodedImage}).
 */
import type {
  ImageBackground,
  ImageFormat,
  ImageQuality,
  InputFidelity,
  Moderation,
  Operation,
} from '../../shared/image-options.ts';
import type { BudgetAnswer } from '../lib/bytes/byte-budget.ts';
import type { Clock } from '../lib/clock.ts';
import type { EncodedImage, ImageInfo } from '../lib/pictures/encoded-image.ts';

/** A reference image or mask: fetched, size-checked, its header read. */
export interface InputImage extends ImageInfo {
  /** In one piece, perhaps made only when it is asked for. */
  readonly bytes: Buffer;
  /** The same in the pieces in which it came, for an adapter that sends it on as it is. */
  readonly pieces?: readonly Buffer[];
  /** Counts what is made of it, so many bytes, as memory of its request until that ends. */
  readonly claim?: (bytes: number) => BudgetAnswer;
}

/** One picture to make. A request for n pictures is n jobs side by side. */
export interface ImageJob {
  operation: Operation;
  /** The upstream's own model ID. */
  upstreamModel: string;
  prompt: string;
  size: { width: number; height: number } | 'auto';
  quality: ImageQuality;
  background: ImageBackground;
  format: ImageFormat;
  /** 0 to 100, for jpeg and webp; null leaves it to the upstream. */
  compression: number | null;
  /** How many intermediate pictures the caller wants: 0 to 3. */
  partialImages: number;
  inputFidelity: InputFidelity | null;
  moderation: Moderation | null;
  /** In the caller's order; the first is what a mask applies to. Empty for a generation. */
  referenceImages: readonly InputImage[];
  /** Canonical form: a PNG of the first reference's size whose alpha-0 pixels are to be changed. */
  mask: InputImage | null;
  /** Which of the request's n pictures this is, from 0: lets a deterministic engine vary them. */
  pictureIndex: number;
  /** The request's own identifier, for engines that accept one; never a secret. */
  traceId: string;
  /** Which attempt of this picture this is, from 1. */
  attempt: number;
  /**
   * What the administrator adds to every call for this upstream model, in the upstream's own words.
   * Merged last, so it may override what the adapter would send, but never the model, the prompt or
   * a picture ({@link reservedFields}).
   */
  extra: Readonly<Record<string, unknown>>;
}

/** What `extra` never names, in whatever case, with or without `[]`: it comes from the request. */
export const reservedFields = [
  'model',
  'prompt',
  'image',
  'images',
  'mask',
  'n',
  'stream',
] as const;

export type UpstreamEvent =
  | { kind: 'accepted'; upstreamRequestId: string | null }
  | { kind: 'queued'; behind: number }
  | { kind: 'partial'; index: number; image: EncodedImage }
  | UpstreamFinal;

export interface UpstreamFinal {
  kind: 'final';
  image: EncodedImage;
  revisedPrompt: string | null;
  /** What the upstream says it really used; null where it does not say. */
  actual: { quality: string | null; background: string | null };
  /** Token counts as the upstream reports them; null where it does not. */
  tokens: UpstreamTokens | null;
  upstreamRequestId: string | null;
  /** What the caller asked for and this upstream could not honour, for the operator to read. */
  warnings: readonly UpstreamWarning[];
}

/**
 * What a picture was made without. A mask or a reference image is never among them: an upstream that
 * cannot use one says so in its capabilities, or ends with the fault `unsupported`.
 */
export const upstreamWarnings = [
  'size_approximated',
  'quality_ignored',
  'background_ignored',
  'compression_ignored',
  'format_converted',
  'input_fidelity_ignored',
  'moderation_ignored',
  'partial_images_ignored',
  'prompt_stripped',
  'mask_resized',
] as const;
export type UpstreamWarning = (typeof upstreamWarnings)[number];

/** OpenAI's image usage counts. */
export interface UpstreamTokens {
  input: number;
  output: number;
  inputText: number;
  inputImage: number;
}

/**
 * Why an attempt failed:
 *
 * | fault         | meaning                                                      | router        |
 * |---------------|--------------------------------------------------------------|---------------|
 * | `refused`     | the content was declined, said by a structured code          | stops         |
 * | `bad_request` | the upstream found a parameter of the job invalid            | stops         |
 * | `unsupported` | this upstream or model cannot do it                          | next upstream |
 * | `auth`        | our credential was not accepted                              | next upstream |
 * | `quota`       | the operator's account is out of money or blocked            | next upstream |
 * | `busy`        | too many requests, queue full, out of memory                 | retry or next |
 * | `unavailable` | no connection, 5xx, connection cut                           | retry or next |
 * | `timeout`     | no answer in time                                            | next          |
 * | `protocol`    | an answer that is not a picture: empty, text, broken bytes   | next          |
 * | `canceled`    | we stopped it                                                | stops         |
 */
export const faults = [
  'refused',
  'bad_request',
  'unsupported',
  'auth',
  'quota',
  'busy',
  'unavailable',
  'timeout',
  'protocol',
  'canceled',
] as const;
export type Fault = (typeof faults)[number];

export interface UpstreamErrorOptions {
  /** The upstream's HTTP status, when there was one. */
  status?: number;
  /** The upstream's own error code, when it is a short machine word. */
  upstreamCode?: string;
  /** The field that the upstream finds wrong, in its own words, when it is a short machine word. */
  upstreamParam?: string;
  /** How long the upstream asks us to wait. */
  retryAfterMs?: number;
  upstreamRequestId?: string;
  /** True when the upstream may have done (and billed) the work although no picture arrived. */
  possiblyCharged?: boolean;
  cause?: unknown;
}

/**
 * The only error an adapter throws. Its message is for the operator's log: it never contains a
 * prompt, a picture or a credential.
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly fault: Fault;
  readonly status: number | null;
  readonly upstreamCode: string | null;
  readonly upstreamParam: string | null;
  readonly retryAfterMs: number | null;
  readonly upstreamRequestId: string | null;
  readonly possiblyCharged: boolean;

  constructor(fault: Fault, message: string, options: UpstreamErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.status = options.status ?? null;
    this.upstreamCode = options.upstreamCode ?? null;
    this.upstreamParam = options.upstreamParam ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.upstreamRequestId = options.upstreamRequestId ?? null;
    this.possiblyCharged = options.possiblyCharged ?? false;
  }
}

/** What one upstream model can do: filters candidates before any attempt, and the console shows it. */
export interface Capabilities {
  generation: boolean;
  edit: boolean;
  /** How many an edit needs at least; 1 where it is not said. */
  referenceImagesMin?: number;
  referenceImagesMax: number;
  mask: boolean;
  /** How many it takes together with a mask, where that is not as many as without. */
  maskedReferenceImagesMax?: number;
  partialImages: boolean;
  sizes: SizeSupport;
  /** What it delivers itself; the other formats are converted here. */
  formats: readonly ImageFormat[];
  qualities: readonly ImageQuality[];
  transparentBackground: boolean;
}

/**
 * `exact`: makes the asked size. `aspect`: keeps its proportions (as nearly as it can) with its own
 * number of pixels. `own`: the upstream or its model decides.
 */
export type SizeSupport = 'exact' | 'aspect' | 'own';

export interface UpstreamContext {
  /** Aborts when nobody wants the picture any more or the request's time is over. */
  signal: AbortSignal;
  clock: Clock;
  /** The key to use for this call, one of the upstream's several; null when it has none. */
  credential: string | null;
}

/** One entry of an upstream's own model list. */
export interface ListedModel {
  upstreamModel: string;
  /** A short human description, or null. */
  description: string | null;
}

/** One configured upstream, ready to work. */
export interface Adapter {
  capabilities(upstreamModel: string): Capabilities;
  run(job: ImageJob, context: UpstreamContext): AsyncGenerator<UpstreamEvent, void, void>;
  /** The upstream's model list. Costs nothing and makes no picture: it is also the health check. */
  listModels(context: UpstreamContext): Promise<readonly ListedModel[]>;
  /** Frees connections when the upstream's configuration changes or the service stops. */
  close(): Promise<void>;
}
