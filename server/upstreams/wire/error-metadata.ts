/**
 * OpenRouter's `error.metadata`, which others took over: what went wrong stands there, while the
 * code beside it repeats the status.
 */
import { z } from 'zod';
import { commonFaultOf } from './common-codes.ts';

const textOrNull = z.string().nullish().catch(null);

/** A member of an error object. */
export const errorMetadata = z
  .object({
    error_type: textOrNull,
    /** Whose limit it was, of money or of pace: says more than the type. */
    limit_source: textOrNull,
    /** What the service behind it answered. */
    raw: textOrNull,
  })
  .nullish()
  .catch(null);

/**
 * Of what the service behind it said only refusals count: whose key is wrong there, or who has no
 * money there, is not us.
 */
export function codeInMetadata(metadata: z.infer<typeof errorMetadata>): string | null {
  if (!metadata) return null;
  const { error_type, limit_source, raw } = metadata;
  const refusal = codesInAnswer(raw ?? '').find((code) => commonFaultOf(code) === 'refused');
  return refusal ?? limit_source ?? error_type ?? null;
}

const answerBehind = z.object({ error: z.object({ code: textOrNull, type: textOrNull }) });

function codesInAnswer(raw: string): string[] {
  try {
    const { code, type } = answerBehind.parse(JSON.parse(raw)).error;
    return [code, type].filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}
