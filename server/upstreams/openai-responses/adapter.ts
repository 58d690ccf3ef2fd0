/**
 * OpenAI's Responses API: a language model, the host, is made to call its `image_generation` tool.
 *
 * The upstream model is the one that draws; the host is a setting. Every call is streamed, whatever
 * our caller wants, because a picture takes minutes and only a stream shows that it is being made.
 * Every URL asked is below the configured base URL; nothing that an answer leads to is fetched.
 */

import { defineKind, type OpenUpstreamHttp, type UpstreamConfig } from '../adapter-kind.ts';
import type { Adapter, ImageJob, UpstreamContext, UpstreamEvent } from '../upstream.ts';
import { ask } from '../wire/ask.ts';
import { refuseUnsupported } from '../wire/capable.ts';
import { endInFault, endInFaults } from '../wire/endings.ts';
import { responsesRules } from './failures.ts';
import { capabilitiesOf, imageModels } from './image-models.ts';
import { listModels } from './model-list.ts';
import { readAnswer } from './read-answer.ts';
import { requestOf } from './request.ts';
import { openService, type Service } from './service.ts';
import { type ResponsesSettings, responsesSettings } from './settings.ts';

export const openaiResponsesKind = defineKind({
  kind: 'openai-responses',
  title: 'OpenAI Responses',
  description:
    'The image tool of the Responses API: partial images, masks and the prompt as it was revised.',
  baseUrl: 'needed',
  credential: 'optional',
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

function create(config: UpstreamConfig<ResponsesSettings>, openHttp: OpenUpstreamHttp): Adapter {
  const service = openService(config, openHttp);
  return {
    capabilities: capabilitiesOf,
    run: (job, context) => endInFaults(run(job, context, service), context.signal),
    listModels: (context) => endInFault(() => listModels(service, context), context.signal),
    close: () => service.http.close(),
  };
}

async function* run(
  job: ImageJob,
  { signal, credential }: UpstreamContext,
  { http, url, settings, pictureTexts }: Service,
): AsyncGenerator<UpstreamEvent, void, void> {
  refuseUnsupported(job, capabilitiesOf(job.upstreamModel));
  const { headers, body, warnings } = requestOf(job, settings, credential);
  const request = { method: 'POST' as const, url: url('responses'), headers, body };
  const answer = await ask(http, request, { signal, rules: responsesRules });
  const picture = yield* readAnswer(answer, job, pictureTexts);
  yield { kind: 'final', ...picture, warnings: [...warnings, ...picture.warnings] };
}
