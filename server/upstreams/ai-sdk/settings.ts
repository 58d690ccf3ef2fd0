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
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .default(googleTokenUrl)
    .meta({
      title: 'Token URL',
      description: "Where Vertex AI's service accounts get their access tokens.",
    }),
});
export type AiSdkSettings = z.infer<typeof settingsSchema>;
