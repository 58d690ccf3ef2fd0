/** The answers of `GET /v1/models` and the form of every error, for the OpenAPI document and tests. */
import { z } from 'zod';
import { errorCodes } from '../error-codes.ts';
import { imageFormats, imageQualities, imageSizes, operations } from '../image-options.ts';

export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int().min(0).describe('Unix seconds.'),
  owned_by: z.string(),
  description: z.string(),
  price: z.object({
    amount: z.string().describe('Decimal.'),
    currency: z.string(),
    per: z.literal('image'),
  }),
  capabilities: z.object({
    operations: z.array(z.enum(operations)),
    sizes: z.array(z.enum(imageSizes)),
    qualities: z.array(z.enum(imageQualities)),
    output_formats: z.array(z.enum(imageFormats)),
    stream: z.boolean(),
  }),
});

export const modelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(modelSchema),
});

export const errorResponseSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(errorCodes),
    trace_id: z.string(),
  }),
});
