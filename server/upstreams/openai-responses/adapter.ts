/**
 * OpenAI's Responses API: a language model, the host, is made to call its `image_generation` tool.
 *
 * The upstream model is the one that draws; the host is a setting. Every call is streamed, whatever
 * our caller wants, because a picture takes minutes and only a stream shows that it is being made.
 * Every URL asked is the configured base URL's own; no answer leads anywhere else.
 */
import { z } from 'zod';
import type { GuardedHttp } from '../../lib/guarded-http.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import {
  type Adapter,
  defineKind,
  type ImageJob,
  type ListedModel,
  type OpenUpstreamHttp,
  type UpstreamConfig,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
} from '../upstream.ts';
import { ask, readJson } from '../wire/ask.ts';
import { answerLimits } from '../wire/limits.ts';
import { responsesRules } from './failures.ts';
import { capabilitiesOf, imageModels, isImageModel } from './image-models.ts';
import { readAnswer } from './read-answer.ts';
import { credentialHeaders, requestOf } from './request.ts';
import { type ResponsesSettings, responsesSettings } from './settings.ts';

export const openaiResponsesKind = defineKind({
  kind: 'openai-responses',
  title: 'OpenAI Responses',
  description:
    'The image_generation tool of the Responses API: partial images, masks and the revised prompt.',
  baseUrl: 'needed',
  credential: 'needed',
  credentialForm: 'API key',
  settings: responsesSettings,
  presets: [
    {
      title: 'OpenAI',
      baseUrl: 'https://api.openai.com/v1',
      settings: {},
      upstreamModels: imageModels,
    },
    {
      title: 'Azure OpenAI',
      baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
      settings: {
        hostModel: 'gpt-5.4-mini',
        credentialHeader: 'api-key',
        imageModelIn: 'azure-header',
        // Its list is of the models that could be deployed, not of the deployments.
        modelList: 'named',
        namedModels: ['gpt-image-2'],
      },
      upstreamModels: ['gpt-image-2'],
    },
  ],
  create,
});

interface Connection {
  http: GuardedHttp;
  baseUrl: URL;
  settings: ResponsesSettings;
}

function create(
  { baseUrl, settings }: UpstreamConfig<ResponsesSettings>,
  openHttp: OpenUpstreamHttp,
): Adapter {
  if (baseUrl === null || !URL.canParse(baseUrl)) {
    throw invalidRequest('base_url', 'OpenAI Responses needs a base URL.');
  }
  const url = new URL(baseUrl);
  const http = openHttp({ origins: [url.origin] });
  const connection = { http, baseUrl: url, settings };
  return {
    capabilities: capabilitiesOf,
    run: (job, context) => run(job, context, connection),
    listModels: (context) => untilStopped(context.signal, listModels(context, connection)),
    close: () => http.close(),
  };
}

async function* run(
  job: ImageJob,
  { signal, credential }: UpstreamContext,
  { http, baseUrl, settings }: Connection,
): AsyncGenerator<UpstreamEvent, void, void> {
  try {
    refuseUnsupported(job);
    const { headers, body, warnings } = requestOf(job, settings, credential);
    const url = pathUnder(baseUrl, 'responses');
    const request = { method: 'POST' as const, url, headers, body };
    const answer = await ask(http, request, { signal, rules: responsesRules });
    const picture = yield* readAnswer(answer, job);
    yield { kind: 'final', ...picture, warnings };
  } catch (cause) {
    throw stoppedOr(cause, signal);
  }
}

/** What the router does not send here, as the capabilities say. */
function refuseUnsupported({ upstreamModel, referenceImages }: ImageJob): void {
  const { referenceImagesMax } = capabilitiesOf(upstreamModel);
  if (referenceImages.length <= referenceImagesMax) return;
  throw new UpstreamError('unsupported', `takes at most ${referenceImagesMax} reference images`);
}

/** The base URL may carry a query, such as Azure's `api-version`, which stays. */
function pathUnder(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

const listSchema = z.object({ data: z.array(z.object({ id: z.string() }).nullable().catch(null)) });

async function listModels(
  { signal, credential }: UpstreamContext,
  connection: Connection,
): Promise<ListedModel[]> {
  const { modelList, namedModels } = connection.settings;
  if (modelList !== 'named') {
    const listed = await askForModels(connection, { signal, credential });
    return described(listed.filter((name) => modelList === 'all' || isImageModel(name)));
  }
  try {
    // Shows whether the service is there and takes the key, though its list is not used.
    await askForModels(connection, { signal, credential });
  } catch (error) {
    // Without a list there is nothing free to ask.
    if (!(error instanceof UpstreamError) || error.fault !== 'unsupported') throw error;
  }
  return described(namedModels.length > 0 ? namedModels : imageModels);
}

async function askForModels(
  { http, baseUrl, settings }: Connection,
  { signal, credential }: Pick<UpstreamContext, 'signal' | 'credential'>,
): Promise<string[]> {
  const headers = { ...credentialHeaders(settings, credential), accept: 'application/json' };
  const url = pathUnder(baseUrl, 'models');
  const answer = await ask(
    http,
    { method: 'GET', url, headers },
    { signal, rules: responsesRules },
  );
  const list = listSchema.safeParse(await readJson(answer, answerLimits.listBytesMax));
  if (!list.success) throw new UpstreamError('protocol', 'the answer is no model list');
  return list.data.data.flatMap((model) => (model ? [model.id] : []));
}

function described(names: readonly string[]): ListedModel[] {
  return names.map((upstreamModel) => ({ upstreamModel, description: null }));
}

async function untilStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw stoppedOr(cause, signal);
  }
}

function stoppedOr(cause: unknown, signal: AbortSignal): unknown {
  return signal.aborted
    ? new UpstreamError('canceled', 'the attempt was stopped', { cause })
    : cause;
}
