import { z } from 'zod';
import type { FailedAnswer } from '../../wire/faults.ts';

const detailed = z.object({
  detail: z.array(z.object({ type: z.string(), msg: z.string().nullish() })).min(1),
});

/** `{detail: [{type, msg}]}`: the type of the first is the code. */
export function withDetailCode(answer: FailedAnswer): FailedAnswer {
  const [first] = detailed.safeParse(answer.said).data?.detail ?? [];
  if (!first) return answer;
  return { ...answer, said: { error: { code: first.type, message: first.msg } } };
}
