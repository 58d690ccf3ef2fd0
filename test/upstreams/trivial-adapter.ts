/**
 * The plainest adapter that keeps the contract, for a protocol that nobody speaks. Each of its habits
 * can be exchanged for a bad one, to see that the contract notices.
 */
import { z } from 'zod';
import type { GuardedHttp, OutgoingRequest } from '../../server/lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../server/lib/outgoing/outgoing-answer.ts';
import type { EncodedImage } from '../../server/lib/pictures/encoded-image.ts';
import { defineKind } from '../../server/upstreams/adapter-kind.ts';
import type {
  Capabilities,
  ImageJob,
  UpstreamContext,
  UpstreamEvent,
} from '../../server/upstreams/upstream.ts';
import { ask, brokenAnswer, readJson } from '../../server/upstreams/wire/ask.ts';
import { refuseUnsupported } from '../../server/upstreams/wire/capable.ts';
import { endInFault, endInFaults } from '../../server/upstreams/wire/endings.ts';
import { endpoint, originOf } from '../../server/upstreams/wire/endpoint.ts';
import { saysError } from '../../server/upstreams/wire/error-said.ts';
import { readEventStream } from '../../server/upstreams/wire/event-stream.ts';
import { withExtra } from '../../server/upstreams/wire/extra.ts';
import { errorOfAnswer } from '../../server/upstreams/wire/faults.ts';
import { answerLimits } from '../../server/upstreams/wire/limits.ts';
import { Base64Text, jsonBody, pictureOfText } from '../../server/upstreams/wire/picture-text.ts';
import { pictureAtUrl } from '../../server/upstreams/wire/result-url.ts';

type Events = AsyncGenerator<UpstreamEvent, void, void>;

type Patience = Pick<UpstreamContext, 'signal' | 'clock'>;

export interface Habits {
  capabilities: Capabilities;
  refuse: (job: ImageJob, capabilities: Capabilities) => void;
  addressOf: (baseUrl: string, credential: string | null) => URL;
  credentialOf: (context: UpstreamContext) => string | null;
  fieldsOf: (job: ImageJob) => Record<string, unknown>;
  /** What the requests to the service are stopped by. */
  signalOf: (context: UpstreamContext) => AbortSignal;
  send: (
    http: GuardedHttp,
    request: OutgoingRequest,
    signal: AbortSignal,
  ) => Promise<OutgoingAnswer>;
  read: (answer: OutgoingAnswer) => Promise<unknown>;
  readEvents: (answer: OutgoingAnswer) => AsyncGenerator<{ data: unknown }, void, void>;
  isPartialWanted: (index: number, job: ImageJob) => boolean;
  pictureAt: (http: GuardedHttp, url: unknown, patience: Patience) => Promise<EncodedImage>;
  /** What its events are passed through. */
  end: (events: Events, context: UpstreamContext, job: ImageJob) => Events;
  close: (http: GuardedHttp) => Promise<void>;
}

export const goodHabits: Habits = {
  capabilities: {
    generation: true,
    edit: true,
    referenceImagesMax: 4,
    mask: true,
    partialImages: true,
    sizes: 'exact',
    formats: ['png'],
    qualities: ['auto'],
    transparentBackground: false,
  },
  refuse: refuseUnsupported,
  addressOf: (baseUrl) => endpoint(baseUrl, '/draw'),
  credentialOf: ({ credential }) => credential,
  fieldsOf: ({ prompt, referenceImages, mask, partialImages, extra }) => {
    const fields = {
      prompt,
      stream: partialImages > 0,
      references: referenceImages.map(({ bytes }) => new Base64Text(bytes)),
      mask: mask && new Base64Text(mask.bytes),
    };
    return withExtra(fields, { extra, kept: ['prompt', 'references', 'mask'] });
  },
  signalOf: ({ signal }) => signal,
  send: (http, request, signal) => ask(http, request, { signal }),
  read: (answer) => readJson(answer),
  readEvents: (answer) => readEventStream(answer),
  isPartialWanted: (index, { partialImages }) => index < partialImages,
  pictureAt: (http, url, patience) => pictureAtUrl(http, url, patience),
  end: (events, { signal }) => endInFaults(events, signal),
  close: (http) => http.close(),
};

const document = z.object({
  partial: z.unknown().optional(),
  picture: z.unknown().optional(),
  url: z.unknown().optional(),
});

const modelList = z.object({ models: z.array(z.string()) });

export function trivialKind(habitsChanged: Partial<Habits> = {}) {
  const habits: Habits = { ...goodHabits, ...habitsChanged };
  return defineKind({
    kind: 'trivial',
    title: 'Trivial',
    description: 'Speaks a protocol that nobody speaks',
    baseUrl: 'needed',
    credential: 'needed',
    credentialForm: 'API key',
    settings: z.strictObject({}),
    presets: [],
    create({ baseUrl }, openHttp) {
      const service = { http: openHttp({ origins: [originOf(baseUrl ?? '')] }), baseUrl };
      return {
        capabilities: () => habits.capabilities,
        run: (job, context) => habits.end(draw(job, context, service), context, job),
        listModels: (context) => endInFault(() => list(context, service), context.signal),
        close: () => habits.close(service.http),
      };
    },
  });

  interface Service {
    http: GuardedHttp;
    baseUrl: string | null;
  }

  async function* draw(
    job: ImageJob,
    context: UpstreamContext,
    { http, baseUrl }: Service,
  ): Events {
    habits.refuse(job, habits.capabilities);
    const credential = habits.credentialOf(context);
    const signal = habits.signalOf(context);
    const url = habits.addressOf(baseUrl ?? '', context.credential);
    const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
    const body = jsonBody(habits.fieldsOf(job));
    const answer = await habits.send(http, { method: 'POST', url, headers, body }, signal);
    yield* readAnswer(answer, { job, http, patience: { signal, clock: context.clock } });
  }

  async function* readAnswer(
    answer: OutgoingAnswer,
    { job, http, patience }: { job: ImageJob; http: GuardedHttp; patience: Patience },
  ): Events {
    let index = 0;
    for await (const said of documentsOf(answer)) {
      if (saysError(said)) throw errorOfAnswer({ ...answer, said });
      const { partial, picture, url } = document.catch({}).parse(said);
      if (partial !== undefined) {
        const image = pictureOfText(partial);
        if (image && habits.isPartialWanted(index, job)) yield { kind: 'partial', index, image };
        index++;
        continue;
      }
      const image = pictureOfText(picture) ?? (await habits.pictureAt(http, url, patience));
      yield {
        kind: 'final',
        image,
        revisedPrompt: null,
        actual: { quality: null, background: null },
        tokens: null,
        upstreamRequestId: null,
        warnings: [],
      };
      return;
    }
    throw brokenAnswer(answer, 'the stream ended without a picture');
  }

  async function* documentsOf(answer: OutgoingAnswer): AsyncGenerator<unknown, void, void> {
    if (answer.headers['content-type'] === 'text/event-stream') {
      for await (const { data } of habits.readEvents(answer)) yield data;
    } else {
      yield await habits.read(answer);
    }
  }

  async function list(context: UpstreamContext, { http, baseUrl }: Service) {
    const headers = { authorization: `Bearer ${context.credential}` };
    const url = endpoint(baseUrl ?? '', '/models');
    const answer = await ask(http, { method: 'GET', url, headers }, { signal: context.signal });
    const parsed = modelList.safeParse(await readJson(answer, answerLimits.listBytesMax));
    if (!parsed.success) throw brokenAnswer(answer, 'the answer is no model list');
    return parsed.data.models.map((upstreamModel) => ({ upstreamModel, description: null }));
  }
}
