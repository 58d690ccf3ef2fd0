import { z } from 'zod';

export const rangeNames = ['today', 'yesterday', '7d', '30d', 'this_month', 'last_month'] as const;
export type RangeName = (typeof rangeNames)[number];

/** Which days are meant: a name that stays relative, or the first and the last day. */
export const rangeQuery = {
  range: z.enum(rangeNames).optional(),
  /** The first day, such as `2025-11-14`; goes before `range`. */
  from: z.iso.date().optional(),
  /** The last day; today when only `from` is given. */
  to: z.iso.date().optional(),
  /** IANA name of the time zone whose days are meant; else the user's, else the installation's. */
  tz: z.string().max(64).optional(),
};

/** The days that were meant, as instants. */
export const rangeSchema = z.object({
  /** Null for days that were given as such. */
  name: z.enum(rangeNames).nullable(),
  /** The first and the last day. */
  from_day: z.iso.date(),
  to_day: z.iso.date(),
  /** Half open: the first moment of the first day, and the first one behind the last day. */
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  /** What the zone is ahead of UTC then: `+08:00`. */
  from_offset: z.string(),
  to_offset: z.string(),
});
export type ResolvedRange = z.infer<typeof rangeSchema>;

/** Which page of a list: the `older` or `newer` of another page. */
export const cursorQuery = {
  cursor: z.string().max(120).optional(),
};

export const pageSchema = {
  /** Of the page before and the page behind; null where there is none. */
  newer: z.string().nullable(),
  older: z.string().nullable(),
  /** For what comes after the newest of this page, at a later time; null for an empty page. */
  since: z.string().nullable(),
};

/** Rows of a list's page. */
export const pageRows = 50;
