/** Google's Gemini API, with the image models of the Gemini family. Imagen was shut down there. */
import { z } from 'zod';
import type { ListedModel } from '../../upstream.ts';
import { wellFormedEntries } from '../../wire/well-formed-entries.ts';
import { notAList, placeholderKey, type Vendor } from '../vendor.ts';
import { geminiModels, geminiRules, readGeminiAnswer, readGoogleError } from './gemini.ts';

export const google: Vendor = {
  title: 'Gemini API',
  credentialForm: 'API key',
  home: () => 'https://generativelanguage.googleapis.com/v1beta',
  optionsKey: 'google',
  load: async () => {
    const { createGoogle } = await import('@ai-sdk/google');
    return ({ model, baseURL, fetch }) =>
      createGoogle({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ 'x-goog-api-key': credential }),
  models: geminiModels,
  readAnswer: readGeminiAnswer,
  readError: readGoogleError,
  rules: geminiRules,
  async listModels(service) {
    const list = modelList.safeParse(await service.askJson('/models?pageSize=1000'));
    if (!list.success) throw notAList();
    return list.data.models.filter(isImageModel).map(toListed);
  },
};

const namedModel = z.object({
  name: z.string(),
  displayName: z.string().nullish().catch(null),
  supportedGenerationMethods: z.array(z.string()).nullish().catch(null),
});
type NamedModel = z.infer<typeof namedModel>;
const modelList = z.object({ models: wellFormedEntries(namedModel) });

const namePrefix = 'models/';
/** "Nano banana" is what Google calls its image models too. */
const imageModelName = /^gemini-.*(?:image|banana)/;

function isImageModel({ name, supportedGenerationMethods }: NamedModel): boolean {
  const isGenerating = supportedGenerationMethods?.includes('generateContent') ?? true;
  return isGenerating && imageModelName.test(name.replace(namePrefix, ''));
}

function toListed({ name, displayName }: NamedModel): ListedModel {
  return { upstreamModel: name.replace(namePrefix, ''), description: displayName ?? null };
}
