import type { ProbeResult } from '../../flows/upstreams/probe-upstream.ts';
import { fileOf } from '../../images/picture.ts';

export type PresentedProbe = ReturnType<typeof presentProbe>;

/** How one picture of a paid test went, as programs get it. */
export function presentProbe({ operation, outcome }: ProbeResult, savedTo: string | null) {
  const { record } = outcome;
  const picture = outcome.kind === 'made' ? outcome.picture : null;
  return {
    operation,
    made: picture !== null,
    took_ms: record.duration_ms,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    format: picture?.format ?? null,
    bytes: picture && (fileOf(picture.image)?.length ?? null),
    saved_to: savedTo,
    upstream_key: record.upstream_key,
    upstream_request_id: record.upstream_request_id,
    warnings: record.warnings,
    fault: record.fault,
    status: record.status,
    upstream_code: record.upstream_code,
    message: outcome.kind === 'failed' ? outcome.error.message : null,
    possibly_charged: record.possibly_charged,
  };
}

/** The same as one line to read. */
export function describeProbe(probe: PresentedProbe): string {
  const took = `${(probe.took_ms / 1000).toFixed(1)} s`;
  return [
    probe.made
      ? `${probe.operation}: ${probe.width}x${probe.height} ${probe.format}, ${probe.bytes} bytes, in ${took}`
      : `${probe.operation}: ${faultOf(probe)} after ${took}: ${probe.message}`,
    ...(probe.upstream_request_id === null ? [] : [`its request ${probe.upstream_request_id}`]),
    ...(probe.warnings.length === 0 ? [] : [`warnings: ${probe.warnings.join(', ')}`]),
    ...(probe.saved_to === null ? [] : [`saved to ${probe.saved_to}`]),
    ...(probe.possibly_charged ? ['it may be charged all the same'] : []),
  ].join('; ');
}

function faultOf({ fault, status, upstream_code: code }: PresentedProbe): string {
  const told = [status, code].filter((part) => part !== null);
  return told.length === 0 ? `${fault}` : `${fault} (${told.join(' ')})`;
}
