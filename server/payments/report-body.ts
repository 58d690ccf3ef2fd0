/** Reads what a provider sends; what is wrong with it is told in the answer. */
import type { z } from 'zod';
import { invalidRequest } from '../lib/service-error.ts';

/** What it is called in messages. */
type Called = 'report' | 'event';

export function parseReport(body: Buffer, called: Called): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest(null, `The ${called} is not valid JSON.`);
  }
}

/** Refuses what is not of the schema, and names the first field that is wrong. */
export function checkReport<T>(schema: z.ZodType<T>, json: unknown, called: Called): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join('.') ?? '';
  throw invalidRequest(param === '' ? null : param, `The ${called} is invalid: ${issue?.message}`);
}
