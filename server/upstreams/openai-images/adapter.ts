/**
 * Services that speak the OpenAI Images API, or nearly so: what they do differently is data, see
 * `dialect.ts`. One request makes one picture, and nothing is tried twice here but the
 * fetching of one that is made.
 *
 * Addresses asked are below the configured base URL or the vendor's own. An address in an answer is
 * fetched through the guard, which sends the credential to the service's own origin only.
 */

import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { type EncodedImage, letGo } from '../../lib/pictures/encoded-image.ts';
import { sniffFormat } from '../../lib/pictures/sniff-format.ts';
import {
  defineKind,
  type OpenUpstreamHttp,
  type UpstreamConfig,
  type UpstreamPreset,
} from '../adapter-kind.ts';
import type {
  Adapter,
  ImageJob,
  UpstreamContext,
  UpstreamEvent,
  UpstreamFinal,
  UpstreamWarning,
} from '../upstream.ts';
import { ask, brokenAnswer, statedBy } from '../wire/ask.ts';
import { refuseUnsupported } from '../wire/capable.ts';
import { endInFault, endInFaults } from '../wire/endings.ts';
import { originOf } from '../wire/endpoint.ts';
import { withoutEngineText } from '../wire/engine-text.ts';
import { requestIdOf } from '../wire/request-id.ts';
import { pictureAtUrl } from '../wire/result-url.ts';
import { dialects } from './dialects.ts';
import { listModels } from './model-list.ts';
import { readAnswer } from './read-answer.ts';
import type { AnsweredPicture, PictureSource } from './read-picture.ts';
import { pictureRequest } from './request.ts';
import { baseUrlOf, type Service, serviceOf } from './service.ts';
import { type Settings, settingsSchema } from './settings.ts';

export const openaiImagesKind = defineKind({
  kind: 'openai-images',
  title: 'OpenAI Images',
  description:
    'The OpenAI Images API, and the many services and engines that speak something like it.',
  baseUrl: 'optional',
  credential: 'optional',
  credentialForm: 'API key',
  settings: settingsSchema,
  presets: dialects.flatMap(({ name, presets }) =>
    presets.map((preset): UpstreamPreset => ({ ...preset, settings: { dialect: name } })),
  ),
  create,
});

function create(config: UpstreamConfig<Settings>, openHttp: OpenUpstreamHttp): Adapter {
  const origins = [originOf(baseUrlOf(config))];
  const service = serviceOf(config, openHttp({ origins }));
  return {
    capabilities: (upstreamModel) => service.capabilities(upstreamModel),
    run: (job, context) => endInFaults(run(job, context, service), context.signal),
    listModels: (context) => endInFault(() => listModels(service, context), context.signal),
    close: () => service.http.close(),
  };
}

async function* run(
  job: ImageJob,
  context: UpstreamContext,
  service: Service,
): AsyncGenerator<UpstreamEvent, void, void> {
  const { signal, credential } = context;
  refuseUnsupported(job, service.capabilities(job.upstreamModel));
  const { request, warnings } = await pictureRequest(job, service, credential);
  const answer = await ask(service.http, request, { signal, rules: service.dialect.errors });
  try {
    yield { kind: 'accepted', upstreamRequestId: requestIdOf(answer.headers) };
    let partials = 0;
    for await (const part of readAnswer(answer, service.dialect, service.pictureTexts)) {
      if (part.kind === 'picture') {
        const fetched = await imageOf(part.source, answer, { service, context, url: request.url });
        const missed = job.partialImages > 0 && partials === 0;
        const image = service.dialect.writesText ? withoutEngineText(fetched) : fetched;
        yield finalOf(part, image, {
          job,
          answer,
          warnings: missed ? [...warnings, 'partial_images_ignored'] : warnings,
        });
      } else if (partials < job.partialImages) {
        yield { kind: 'partial', index: partials++, image: part.image };
      } else letGo(part.image);
    }
  } finally {
    answer.discard();
  }
}

async function imageOf(
  source: PictureSource,
  answer: OutgoingAnswer,
  { service, context, url }: { service: Service; context: UpstreamContext; url: URL },
): Promise<EncodedImage> {
  if ('image' in source) return source.image;
  const image = await pictureAtUrl(service.http, source.address, {
    signal: context.signal,
    clock: context.clock,
    headers: service.credentialHeaders(context.credential),
    relativeTo: url,
    stated: statedBy(answer),
  });
  if (sniffFormat(image) !== null) return image;
  throw brokenAnswer(answer, 'the address of the answer holds no picture');
}

function finalOf(
  { revisedPrompt, actual, tokens }: AnsweredPicture,
  image: EncodedImage,
  about: { job: ImageJob; answer: OutgoingAnswer; warnings: readonly UpstreamWarning[] },
): UpstreamFinal {
  const { job, answer, warnings } = about;
  return {
    kind: 'final',
    image,
    // Some services call the prompt revised that they were given.
    revisedPrompt: revisedPrompt === job.prompt ? null : revisedPrompt,
    actual,
    tokens,
    upstreamRequestId: requestIdOf(answer.headers),
    warnings,
  };
}
