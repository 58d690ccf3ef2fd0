/** Gemini's image models on Google Cloud's Vertex AI, by an API key or a service account. */
import { UpstreamError } from '../../upstream.ts';
import { accessTokenFor, forgetAccessToken, readServiceAccount } from '../service-account.ts';
import { type AiSdkSettings, googleTokenUrl } from '../settings.ts';
import { placeholderKey, type Vendor } from '../vendor.ts';
import {
  geminiModels,
  geminiRules,
  knownGeminiModels,
  readGeminiAnswer,
  readGoogleError,
} from './gemini.ts';

const expressHome = 'https://aiplatform.googleapis.com/v1/publishers/google';

export const googleVertex: Vendor = {
  title: 'Vertex AI',
  credentialForm: 'API key of the express mode, or the JSON of a service account',
  home: (settings) => `https://${hostOf(settings)}/v1`,
  moreOrigins({ tokenUrl }, baseUrl) {
    if (baseUrl === null) return [expressHome, tokenUrl];
    // With an address of the operator's own, nothing goes to Google unless it was entered too.
    return tokenUrl === googleTokenUrl ? [] : [tokenUrl];
  },
  baseUrl: ({ settings, credential }) => {
    const account = readServiceAccount(credential);
    if (account === null) return expressHome;
    const project = settings.project ?? account.project_id ?? null;
    if (project === null) throw new UpstreamError('auth', 'the service account names no project');
    const place = `projects/${encodeURIComponent(project)}/locations/${regionOf(settings)}`;
    return `https://${hostOf(settings)}/v1beta1/${place}/publishers/google`;
  },
  optionsKey: 'googleVertex',
  load: async () => {
    // The package's other entry loads Google's auth library, which looks for credentials in the
    // environment and on the machine's metadata server.
    const { createGoogleVertex } = await import('@ai-sdk/google-vertex/edge');
    return ({ model, baseURL, fetch }) =>
      createGoogleVertex({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  async authorize(_request, service) {
    const account = readServiceAccount(service.credential);
    if (account === null) return { 'x-goog-api-key': service.credential };
    return { authorization: `Bearer ${await accessTokenFor(account, service)}` };
  },
  forgetProof(service) {
    const account = readServiceAccount(service.credential);
    if (account !== null) forgetAccessToken(account, service);
  },
  models: geminiModels,
  readAnswer: readGeminiAnswer,
  readError: readGoogleError,
  rules: geminiRules,
  async listModels(service) {
    // Counting is free, and needs the same rights as making a picture.
    const [, , { upstreamModel }] = knownGeminiModels;
    try {
      await service.askJson(`/models/${upstreamModel}:countTokens`, {
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      });
    } catch (error) {
      // A region that does not have this model has accepted the credential.
      if (!(error instanceof UpstreamError && error.fault === 'unsupported')) throw error;
    }
    return knownGeminiModels;
  },
};

const regionDefault = 'global';

function regionOf({ region }: AiSdkSettings): string {
  return region ?? regionDefault;
}

function hostOf(settings: AiSdkSettings): string {
  const region = regionOf(settings);
  if (region === 'global') return 'aiplatform.googleapis.com';
  if (region === 'eu' || region === 'us') return `aiplatform.${region}.rep.googleapis.com`;
  return `${region}-aiplatform.googleapis.com`;
}
