import { z } from 'zod';

/** The services that are reached through a package of the AI SDK. */
export const vendorNames = [
  'google',
  'google-vertex',
  'amazon-bedrock',
  'fal',
  'replicate',
  'black-forest-labs',
  'luma',
  'fireworks',
] as const;
export type VendorName = (typeof vendorNames)[number];

export const googleTokenUrl = 'https://oauth2.googleapis.com/token';

const regionName = /^[a-z][a-z0-9-]{1,39}$/;
export const moreModelsLimits = { modelsMax: 200, nameCharactersMax: 200 } as const;

const projectName = /^[a-z0-9][a-z0-9.:-]{1,80}$/;

export const settingsSchema = z.strictObject({
  provider: z.enum(vendorNames).default('google').meta({
    title: 'Service',
    description: 'Whose API this is; it decides what the credential and the models are.',
  }),
  region: z
    .string()
    .regex(regionName, 'must be the name of a region')
    .nullable()
    .default(null)
    .meta({
      title: 'Region',
      description:
        'For Amazon Bedrock, us-east-1 if left empty, and for Vertex AI, global if left empty.',
    }),
  project: z
    .string()
    .regex(projectName, 'must be the ID of a project')
    .nullable()
    .default(null)
    .meta({
      title: 'Project',
      description: 'For Vertex AI with a service account; if left empty, the project of its key.',
    }),
  moreModels: z
    .array(
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'must be names of models')
        .max(moreModelsLimits.nameCharactersMax),
    )
    .max(moreModelsLimits.modelsMax)
    .default([])
    .meta({
      title: 'More models',
      description:
        'Models that the list does not name. fal, Replicate and others have more than any list.',
    }),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .default(googleTokenUrl)
    .meta({
      title: 'Token URL',
      description: "Where Vertex AI's service accounts get their access tokens.",
    }),
});
export type AiSdkSettings = z.infer<typeof settingsSchema>;
