import { z } from 'zod';
import { type ListedModel, type UpstreamContext, UpstreamError } from '../upstream.ts';
import { ask, readJson } from '../wire/ask.ts';
import { answerLimits } from '../wire/limits.ts';
import { wellFormedEntries } from '../wire/well-formed-entries.ts';
import { responsesRules } from './failures.ts';
import { imageModels, isImageModel } from './image-models.ts';
import { credentialHeaders } from './request.ts';
import type { Service } from './service.ts';
import { responsesLimits } from './settings.ts';

export async function listModels(
  service: Service,
  context: UpstreamContext,
): Promise<ListedModel[]> {
  const { modelList, namedModels } = service.settings;
  switch (modelList) {
    case 'all':
      return described(await askForModels(service, context));
    case 'image':
      return described((await askForModels(service, context)).filter(isImageModel));
    case 'named':
      await knock(service, context);
      return described(namedModels.length > 0 ? namedModels : imageModels);
  }
}

/** Shows whether the service is there and takes the key, though its list is of no use. */
async function knock(service: Service, context: UpstreamContext): Promise<void> {
  try {
    await askForModels(service, context);
  } catch (error) {
    // A service without a list has nothing that could be asked for free.
    if (!(error instanceof UpstreamError) || error.fault !== 'unsupported') throw error;
  }
}

const modelName = z
  .string()
  .regex(/^[^\p{Cc}]+$/u)
  .max(responsesLimits.modelCharactersMax);

/** `ModelsPage` of the npm package openai 7.55; what is no model with a usable name is left out. */
const listSchema = z.object({ data: wellFormedEntries(z.object({ id: modelName })) });

async function askForModels(
  { http, url, settings }: Service,
  { signal, credential }: UpstreamContext,
): Promise<string[]> {
  const headers = { ...credentialHeaders(settings, credential), accept: 'application/json' };
  const request = { method: 'GET' as const, url: url('models'), headers };
  const answer = await ask(http, request, { signal, rules: responsesRules });
  const list = listSchema.safeParse(await readJson(answer, answerLimits.listBytesMax));
  if (!list.success) throw new UpstreamError('protocol', 'the answer is no model list');
  const names = new Set(list.data.data.map(({ id }) => id));
  return [...names].slice(0, responsesLimits.listedModelsMax);
}

function described(names: readonly string[]): ListedModel[] {
  return names.map((upstreamModel) => ({ upstreamModel, description: null }));
}
