/** Reads from ComfyUI's errors which fault they are. Their texts go nowhere: they may quote a prompt. */
import { z } from 'zod';
import { UpstreamError } from '../upstream.ts';
import { machineWord } from '../wire/machine-word.ts';
import type { ExecutionError } from './frames.ts';
import { placeKey } from './graph.ts';
import type { Workflow } from './workflow.ts';

const refusal = z.object({
  error: z
    .object({ type: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  node_errors: z
    .record(
      z.string(),
      z.object({
        errors: z.array(
          z.object({
            type: z.string(),
            extra_info: z
              .object({ input_name: z.string().nullish().catch(null) })
              .nullish()
              .catch(null),
          }),
        ),
      }),
    )
    .catch({}),
});

/** Of a value that a node finds too small or too large. */
const rangeErrors = ['value_smaller_than_min', 'value_bigger_than_max'];

/**
 * Why POST /prompt answered 400. A model file, node or link that is missing is the operator's to
 * mend, so another upstream may do the job; only a size that a node finds out of range is the job's.
 */
export function refusedPromptError(said: unknown, { places }: Workflow): UpstreamError {
  const parsed = refusal.safeParse(said);
  const problems = parsed.success ? problemsIn(parsed.data) : [];
  const first = problems[0]?.type ?? (parsed.success ? parsed.data.error?.type : null) ?? null;
  const upstreamCode = machineWord(first);
  const sizes = [...(places.get('width') ?? []), ...(places.get('height') ?? [])].map(placeKey);
  const isSize = problems.every(
    ({ type, place }) => rangeErrors.includes(type) && sizes.includes(place),
  );
  const fault = problems.length > 0 && isSize ? 'bad_request' : 'unsupported';
  const message = `the workflow was not accepted${upstreamCode === null ? '' : ` (${upstreamCode})`}`;
  return new UpstreamError(fault, message, {
    status: 400,
    ...(upstreamCode !== null && { upstreamCode }),
  });
}

function problemsIn({ node_errors }: z.infer<typeof refusal>): { type: string; place: string }[] {
  return Object.entries(node_errors).flatMap(([node, { errors }]) =>
    errors.map(({ type, extra_info }) => ({
      type,
      place: placeKey({ node, input: extra_info?.input_name ?? '' }),
    })),
  );
}

/** A node threw. */
export function executionError(error: ExecutionError, promptId: string): UpstreamError {
  const upstreamCode = machineWord(error.type);
  const isFull = isOutOfMemory(error);
  const message = isFull ? 'the server ran out of memory' : 'a node of the workflow failed';
  return new UpstreamError(isFull ? 'busy' : 'unavailable', message, {
    upstreamRequestId: promptId,
    ...(upstreamCode !== null && { upstreamCode }),
  });
}

function isOutOfMemory({ type, message }: ExecutionError): boolean {
  const isTold = /OutOfMemory|\bOOM/.test(type ?? '');
  return isTold || /\bout of memory\b|^Allocation on device/i.test(message ?? '');
}
