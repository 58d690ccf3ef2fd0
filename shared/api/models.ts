/** The answers of `GET /v1/models` and the form of every error, for the OpenAPI document and tests. */
import { z } from 'zod';
import { errorCodes } from '../error-codes.ts';
import { imageFormats, imageQualities, imageSizes, operations } from '../image-options.ts';
import { imageLimits } from '../limits.ts';

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
    sizes: z
      .array(z.enum(imageSizes))
      .describe(
        'Sizes, or at least proportions, that the model keeps to; for others it decides by itself.',
      ),
    qualities: z
      .array(z.enum(imageQualities))
      .describe('Qualities that make a difference; others may be taken for `auto`.'),
    output_formats: z.array(z.enum(imageFormats)),
    reference_images_max: z
      .int()
      .min(0)
      .max(imageLimits.referenceImagesMax)
      .describe('Per edit; 0 when it makes none.'),
    mask: z.boolean(),
    transparent_background: z.boolean(),
    stream: z.boolean(),
    partial_images: z.boolean().describe('Whether a stream may show pictures on the way.'),
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
