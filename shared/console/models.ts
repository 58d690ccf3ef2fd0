import { z } from 'zod';
import { imageFormats, imageQualities, imageSizes, operations } from '../image-options.ts';
import { amountSchema } from './session.ts';

/** What keeps a model from being used, as administrators may know it. */
const missingConditions = ['price', 'enabled', 'upstream'] as const;

const capabilitiesSchema = z.object({
  operations: z.array(z.enum(operations)),
  sizes: z.array(z.enum(imageSizes)),
  qualities: z.array(z.enum(imageQualities)),
  output_formats: z.array(z.enum(imageFormats)),
  reference_images_max: z.int(),
  mask: z.boolean(),
  partial_images: z.boolean(),
  transparent_background: z.boolean(),
});

export const playgroundModelSchema = z.object({
  id: z.string(),
  description: z.string(),
  /** Per request of one picture; null where none is set. */
  price: amountSchema.nullable(),
  is_available: z.boolean(),
  /** Why not, for everybody; null when it is available. */
  reason: z.string().nullable(),
  /** What is missing, for administrators; null for others, and when nothing is. */
  missing: z.enum(missingConditions).nullable(),
  /** Null unless it is available. */
  capabilities: capabilitiesSchema.nullable(),
  /** How long requests took in the last 30 days; qualities of which little is known are left out. */
  paces: z.array(
    z.object({ quality: z.string(), p50_ms: z.int(), p90_ms: z.int(), requests: z.int() }),
  ),
});
export type PlaygroundModel = z.infer<typeof playgroundModelSchema>;

export const playgroundModelsSchema = z.object({ models: z.array(playgroundModelSchema) });
