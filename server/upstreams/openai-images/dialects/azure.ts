import type { Dialect } from '../dialect.ts';
import { openai, openaiEdit } from './openai.ts';

/**
 * https://learn.microsoft.com/azure/foundry/openai/how-to/dall-e: the `/openai/v1` URLs, in which
 * the deployment's name stands where OpenAI has the model. A deployment may have any name: the
 * setting `modelNames` says which model it is.
 */
export const azure: Dialect = {
  ...openai,
  name: 'azure',
  title: 'Azure OpenAI',
  auth: 'api-key',
  traceHeader: 'x-ms-client-request-id',
  errors: {
    codes: {
      contentFilter: 'refused',
      content_filter_error: 'refused',
      ResponsibleAIPolicyViolation: 'refused',
      DeploymentNotFound: 'unsupported',
      OperationNotSupported: 'unsupported',
      QuotaExceeded: 'quota',
    },
  },
  presets: [
    {
      title: 'Azure OpenAI',
      baseUrl: 'https://your-resource.openai.azure.com/openai/v1',
      upstreamModels: ['gpt-image-2', 'gpt-image-1.5'],
    },
  ],
};

/** The same with the deployment in the path and a dated `api-version`. */
export const azureDeployment: Dialect = {
  ...azure,
  name: 'azure-deployment',
  title: 'Azure OpenAI, deployment URLs',
  apiVersion: '2025-04-01-preview',
  generationPath: '/openai/deployments/{model}/images/generations',
  sendsModel: false,
  edit: { ...openaiEdit(), path: '/openai/deployments/{model}/images/edits' },
  // Base models, not deployments, for which there is no list with an API key.
  modelList: { from: 'list', path: '/openai/models', names: /gpt-image|dall-e/ },
  models: openai.models.map(({ name, traits }) => ({
    name,
    traits: traits.edit
      ? {
          ...traits,
          edit: { ...traits.edit, path: '/openai/deployments/{model}/images/edits' },
        }
      : traits,
  })),
  presets: [
    {
      title: 'Azure OpenAI, deployment URLs',
      baseUrl: 'https://your-resource.openai.azure.com',
      upstreamModels: ['gpt-image-2', 'gpt-image-1.5'],
    },
  ],
};
