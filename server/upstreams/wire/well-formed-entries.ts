import { z } from 'zod';

/** A list without the entries that are not as `entry` has them: one odd one does not spoil the others. */
export function wellFormedEntries<T extends z.ZodType>(entry: T) {
  return z
    .array(entry.nullable().catch(null))
    .transform((entries) => entries.filter((each) => each !== null));
}
