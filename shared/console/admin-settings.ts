import { z } from 'zod';
import { reasonField } from './admin-models.ts';

export const settingSections = ['general', 'access', 'limits', 'notices'] as const;
const settingSectionSchema = z.enum(settingSections);

const valueSchema = z.union([z.string(), z.int()]);

/** What a form field is made of. */
const settingFormSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('integer'), min: z.int(), max: z.int() }),
  z.object({ kind: z.literal('choice'), choices: z.array(z.string()) }),
  z.object({ kind: z.literal('text'), characters_max: z.int(), is_long: z.boolean() }),
  z.object({ kind: z.literal('amount') }),
  z.object({ kind: z.literal('url') }),
  z.object({ kind: z.literal('zone') }),
]);

export const settingSchema = z.object({
  name: z.string(),
  section: settingSectionSchema,
  description: z.string(),
  /** What a value must be, in words. */
  expected: z.string(),
  form: settingFormSchema,
  value: valueSchema,
  default: valueSchema,
  /** Why it cannot change any more; null when it can. */
  locked: z.string().nullable(),
});
export type SettingView = z.infer<typeof settingSchema>;

export const settingsSchema = z.object({ settings: z.array(settingSchema) });

export const sectionParamsSchema = z.object({ section: settingSectionSchema });

/** Of one section; what is not named stays. All or none are changed. */
export const sectionPatchSchema = z.object({
  values: z.record(z.string(), valueSchema),
  reason: reasonField,
});

/** One event each: a `tick` every few seconds, then the `end`. */
export const streamTestQuerySchema = z.object({
  seconds: z.coerce.number().int().min(1).max(150).default(150),
});
