/** The engine's paths, each with its answer read: whatever goes wrong is an UpstreamError. */
import { z } from 'zod';
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import { parseCutJson } from '../../lib/bytes/json-cut.ts';
import type { GuardedHttp, OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import { type ListedModel, UpstreamError } from '../upstream.ts';
import { ask, readBytes, readErrorBody, readJson, statedBy, upstreamErrors } from '../wire/ask.ts';
import { saysError } from '../wire/error-said.ts';
import { type ErrorRules, errorOfAnswer } from '../wire/faults.ts';
import { UnreadableAnswer } from '../wire/insist.ts';
import { answerLimits } from '../wire/limits.ts';
import { pictureOfText } from '../wire/picture-text.ts';
import { requestIdOf } from '../wire/request-id.ts';
import { restated } from '../wire/restated.ts';
import { wellFormedEntries } from '../wire/well-formed-entries.ts';
import type { PictureRequest } from './request.ts';
import type { Engine } from './settings.ts';

const limits = {
  /** An answer without its pictures: it repeats the prompt half a dozen times, escaped twice. */
  answerTextBytesMax: 4 * 1024 ** 2,
  /** A preview is a small picture. */
  progressBytesMax: 8 * 1024 ** 2,
  stateBytesMax: 64 * 1024,
} as const;

export interface Made {
  image: EncodedImage;
  upstreamRequestId: string | null;
  /** When the engine began the job, in its own words; null where it does not say. */
  jobTimestamp: string | null;
  /** The model that drew it, by the name of its file; null where the engine does not say. */
  modelName: string | null;
}

/** What `/internal/progress` tells of one task. */
export interface TaskProgress {
  isActive: boolean;
  isQueued: boolean;
  isCompleted: boolean;
  /** A preview that is another than the one asked with; null when there is none. */
  preview: { id: number; image: EncodedImage } | null;
}

/** What the engine does now, or did last. */
export interface EngineState {
  jobTimestamp: string | null;
  isInterrupted: boolean;
}

/** No preview seen yet. */
export const noPreviewId = -1;

export class EngineApi {
  readonly #engine: Engine;
  readonly #http: GuardedHttp;
  readonly #rules: ErrorRules;

  constructor(engine: Engine, http: GuardedHttp) {
    this.#engine = engine;
    this.#http = http;
    this.#rules = {
      // Python's own names: the engine answers with the class of what was thrown.
      codes: { OutOfMemoryError: 'busy', MemoryError: 'busy' },
      ...(engine.flavour.isBusyBy503 && { statuses: { 503: 'busy' } }),
    };
  }

  /** What fails without a word of the engine's own has {@link UnreadableAnswer} for its cause. */
  async makePicture({ path, body }: PictureRequest, call: Call): Promise<Made> {
    const request = this.#requestOf('POST', path, { ...call, body });
    const sending = this.#http.send(request, call.signal);
    const answer = await upstreamErrors(sending, { wasAnswered: false });
    if (answer.status < 200 || answer.status >= 300) throw await this.#failureOf(answer);
    const bytes = await readBytes(answer, answerLimits.documentBytesMax);
    const parsed = parseCutJson(bytes, {
      depthMax: answerLimits.documentDepthMax,
      restBytesMax: limits.answerTextBytesMax,
    });
    if (parsed.kind === 'broken') {
      const why = `is ${parsed.reason}`;
      throw this.#unusable(answer, why, new UnreadableAnswer(why));
    }
    return this.#madeOf(answer, parsed.value);
  }

  async readProgress(taskId: string, previewId: number, call: Call): Promise<TaskProgress> {
    const body = [
      Buffer.from(
        JSON.stringify({
          id_task: taskId,
          id_live_preview: previewId,
          live_preview: call.wantsPreview ?? false,
        }),
      ),
    ];
    const answer = await this.#ask('POST', '/internal/progress', call, body);
    const read = progressAnswer.safeParse(await readJson(answer, limits.progressBytesMax));
    if (!read.success) throw this.#unusable(answer, 'is no progress');
    const { active, queued, completed, live_preview, id_live_preview } = read.data;
    const image = pictureOf(live_preview);
    const isNew = id_live_preview !== null && id_live_preview !== previewId;
    return {
      isActive: active,
      isQueued: queued,
      isCompleted: completed,
      preview: active && image && isNew ? { id: id_live_preview, image } : null,
    };
  }

  async readState(call: Call): Promise<EngineState> {
    const path = '/sdapi/v1/progress?skip_current_image=true';
    const answer = await this.#ask('GET', path, call);
    const read = stateAnswer.safeParse(await readJson(answer, limits.stateBytesMax));
    if (!read.success) throw this.#unusable(answer, 'is no state');
    const { job_timestamp, interrupted, skipped } = read.data.state;
    return { jobTimestamp: job_timestamp, isInterrupted: interrupted || skipped };
  }

  /** Ends whatever job is being worked on. */
  async interrupt(call: Call): Promise<void> {
    const answer = await this.#ask('POST', '/sdapi/v1/interrupt', call, []);
    answer.discard();
  }

  async listModels(call: Call): Promise<readonly ListedModel[]> {
    const answer = await this.#ask('GET', '/sdapi/v1/sd-models', call);
    const read = modelsAnswer.safeParse(await readJson(answer, answerLimits.listBytesMax));
    if (!read.success) throw this.#unusable(answer, 'is no model list');
    const models = new Map(
      read.data.map(({ model_name, title }) => [
        model_name,
        { upstreamModel: model_name, description: title === model_name ? null : title },
      ]),
    );
    return [...models.values()];
  }

  async #ask(
    method: OutgoingRequest['method'],
    path: string,
    { signal, credential }: Call,
    body?: readonly BodyPiece[],
  ): Promise<OutgoingAnswer> {
    const request = this.#requestOf(method, path, { credential, body });
    return await ask(this.#http, request, { signal, rules: this.#rules });
  }

  #requestOf(
    method: OutgoingRequest['method'],
    path: string,
    { credential, body }: Pick<Call, 'credential'> & { body?: readonly BodyPiece[] | undefined },
  ): OutgoingRequest {
    return {
      method,
      url: new URL(`${this.#engine.baseUrl}${path}`),
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...this.#authorization(credential),
      },
      ...(body && { body }),
    };
  }

  async #failureOf(answer: OutgoingAnswer): Promise<UpstreamError> {
    const said = await readErrorBody(answer);
    const error = errorOfAnswer({ ...answer, said }, this.#rules);
    // The engine says what went wrong with its job; a page is of what stands before it.
    if (said !== null || answer.status < 500) return error;
    return restated(error, { cause: new UnreadableAnswer(error.message) });
  }

  #authorization(credential: string | null): { authorization?: string } {
    if (credential === null) return {};
    if (this.#engine.settings.authentication === 'bearer') {
      return { authorization: `Bearer ${credential}` };
    }
    if (!credential.includes(':')) {
      throw new UpstreamError('auth', 'the credential is not of the form user:password');
    }
    return { authorization: `Basic ${Buffer.from(credential, 'utf8').toString('base64')}` };
  }

  #madeOf(answer: OutgoingAnswer, value: unknown): Made {
    const read = pictureAnswer.safeParse(value);
    const image = read.success ? pictureOf(read.data.images[0]) : null;
    if (read.success && image) {
      const upstreamRequestId = requestIdOf(answer.headers);
      return { image, upstreamRequestId, ...infoOf(read.data.info) };
    }
    if (saysError(value)) throw errorOfAnswer({ ...answer, said: value }, this.#rules);
    throw this.#unusable(answer, 'has no picture');
  }

  #unusable(answer: OutgoingAnswer, why: string, cause?: Error): UpstreamError {
    return new UpstreamError('protocol', `the engine's answer ${why}`, {
      ...statedBy(answer),
      possiblyCharged: true,
      cause,
    });
  }
}

/** One exchange: whose key, and until when. */
export interface Call {
  signal: AbortSignal;
  credential: string | null;
  wantsPreview?: boolean;
}

/** Base64 or a data URL that begins like a picture. */
function pictureOf(value: unknown): EncodedImage | null {
  const image = pictureOfText(value);
  return image && sniffFormat(image) ? image : null;
}

const nothingSaid = { jobTimestamp: null, modelName: null };

/** Read from `info`, which is JSON within JSON; nothing else of it is used, for it quotes the prompt. */
function infoOf(info: unknown): Pick<Made, 'jobTimestamp' | 'modelName'> {
  if (typeof info !== 'string') return nothingSaid;
  const parsed = parseCutJson(Buffer.from(info, 'utf8'), {
    depthMax: answerLimits.documentDepthMax,
    restBytesMax: limits.answerTextBytesMax,
  });
  const read = parsed.kind === 'broken' ? null : pictureInfo.safeParse(parsed.value).data;
  if (!read) return nothingSaid;
  return { jobTimestamp: read.job_timestamp, modelName: read.sd_model_name };
}

/** Their strings may be cut out as bytes: see `pictureOf`. */
const pictureAnswer = z.object({ images: z.array(z.unknown()), info: z.unknown() });
const pictureInfo = z.object({
  job_timestamp: z.string().nullable().catch(null),
  sd_model_name: z.string().min(1).nullable().catch(null),
});

const progressAnswer = z.object({
  active: z.boolean(),
  queued: z.boolean(),
  completed: z.boolean().catch(false),
  live_preview: z.unknown(),
  id_live_preview: z.int().nullable().catch(null),
});

const stateAnswer = z.object({
  state: z.object({
    job_timestamp: z.string().nullable().catch(null),
    interrupted: z.boolean().catch(false),
    /** By the button beside it, which breaks off one picture of a job; ours have one. */
    skipped: z.boolean().catch(false),
  }),
});

const modelsAnswer = wellFormedEntries(
  z.object({ model_name: z.string().min(1), title: z.string().nullable().catch(null) }),
);
