import { z } from 'zod';

/** Of an object that several people may change, what one of them did: the rest stays as it is by then. */
export const fieldChangeSchema = z.object({
  /** The names that lead to it, from the outside in. */
  path: z.array(z.string()).min(1).max(8),
  /** Without one it is removed. */
  value: z.unknown().optional(),
});
export type FieldChange = z.infer<typeof fieldChangeSchema>;
