/** What a job becomes for a workflow: its values, and what it has to be made without. */
import { randomBytes } from 'node:crypto';
import type { ImageJob, UpstreamWarning } from '../upstream.ts';
import type { ValueName } from './placeholders.ts';
import { stripDirectives } from './prompt-directives.ts';
import type { ComfyuiSettings } from './settings.ts';
import type { Workflow } from './workflow.ts';

export interface Order {
  /** For every place but those of pictures. */
  values: ReadonlyMap<ValueName, string | number>;
  /** Values that only placeholders get; at a slot the workflow's own stays. */
  placeholderOnly: ReadonlySet<ValueName>;
  warnings: readonly UpstreamWarning[];
}

/** @param job one that the workflow's capabilities allow */
export function orderOf(job: ImageJob, workflow: Workflow, upstream: ComfyuiSettings): Order {
  const { settings } = workflow;
  const { prompt, wasStripped } = upstream.keepPromptDirectives
    ? { prompt: job.prompt, wasStripped: false }
    : stripDirectives(job.prompt);
  const size = job.size === 'auto' ? settings.defaultSize : job.size;
  const steps = settings.qualitySteps[job.quality];
  const values = new Map<ValueName, string | number>([
    ['prompt', prompt],
    ['seed', randomSeed()],
    ['width', size.width],
    ['height', size.height],
    ['steps', steps ?? settings.qualitySteps.medium],
    ['fidelity', job.inputFidelity ?? 'low'],
    ['denoise', settings.fidelityDenoise[job.inputFidelity ?? 'low']],
    ['batch', 1],
  ]);
  const placeholderOnly = new Set<ValueName>([
    ...(job.size === 'auto' ? ['width', 'height'] : []),
    ...(steps === null ? ['steps'] : []),
    ...(job.inputFidelity === null ? ['denoise'] : []),
  ]);
  addExtras(job.extra, { values, placeholderOnly });
  const warnings = [...ignoredBy(job, workflow), ...strippedIf(wasStripped)];
  return { values, placeholderOnly, warnings };
}

/** KSampler takes 64 bits, but a JSON number holds 53 of them. */
function randomSeed(): number {
  return Number(randomBytes(8).readBigUInt64BE() >> 11n);
}

const textExtras = ['negativePrompt'];
const numberExtras = ['seed', 'width', 'height', 'steps', 'cfg', 'denoise'];

/** Slots that the operator fills for an upstream model: `{"cfg": 4.5, "negativePrompt": "blurry"}`. */
function addExtras(
  extra: ImageJob['extra'],
  {
    values,
    placeholderOnly,
  }: { values: Map<ValueName, string | number>; placeholderOnly: Set<string> },
): void {
  for (const name of [...textExtras, ...numberExtras]) {
    const value = extra[name];
    const type = textExtras.includes(name) ? 'string' : 'number';
    if (typeof value !== type) continue;
    // The condition above has read the type that TypeScript cannot see.
    values.set(name, value as string | number);
    placeholderOnly.delete(name);
  }
}

function ignoredBy(job: ImageJob, { values }: Workflow): UpstreamWarning[] {
  const hasSize = values.has('width') && values.has('height');
  const hasFidelity = values.has('denoise') || values.has('fidelity');
  const ignored: [boolean, UpstreamWarning][] = [
    [job.size !== 'auto' && !hasSize, 'size_approximated'],
    [job.quality !== 'auto' && !values.has('steps'), 'quality_ignored'],
    [job.inputFidelity !== null && !hasFidelity, 'input_fidelity_ignored'],
    [job.moderation === 'low', 'moderation_ignored'],
  ];
  return ignored.flatMap(([isIgnored, warning]) => (isIgnored ? [warning] : []));
}

function strippedIf(wasStripped: boolean): UpstreamWarning[] {
  return wasStripped ? ['prompt_stripped'] : [];
}
