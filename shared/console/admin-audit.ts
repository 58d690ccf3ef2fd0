import { z } from 'zod';
import { cursorQuery, pageSchema, rangeQuery, rangeSchema } from './ranges.ts';

const auditFilterQuery = {
  ...rangeQuery,
  /** A user's ID or e-mail address, `cli:<name>`, or `system`. */
  actor: z.string().max(254).optional(),
  /** Such as `model.set_price`. */
  action: z.string().max(60).optional(),
  /** ID of what was changed: a model, an upstream, a user, a setting. */
  target: z.string().max(254).optional(),
};
export const auditFilterSchema = z.object(auditFilterQuery);
export type AuditFilterQuery = z.infer<typeof auditFilterSchema>;
export const auditListQuerySchema = z.object({ ...auditFilterQuery, ...cursorQuery });

export const auditEntrySchema = z.object({
  id: z.string(),
  created_at: z.string(),
  actor: z.string(),
  /** Null for whoever worked on the command line, and for the service itself. */
  actor_email: z.string().nullable(),
  action: z.string(),
  target: z.string(),
  /** What people call it: an e-mail address, the name of an upstream or an API key. */
  target_name: z.string().nullable(),
  /** ID of the user whose API key it is; null for anything else. */
  target_owner: z.string().nullable(),
  reason: z.string().nullable(),
  /** What changed; `from` is null for what was only noted. Never a secret. */
  changes: z.array(
    z.object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
  ),
});
export type AuditView = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z.object({
  range: rangeSchema,
  items: z.array(auditEntrySchema),
  ...pageSchema,
  /** All that match. */
  count: z.int(),
  /** All actions there ever were, to filter by. */
  actions: z.array(z.string()),
});
