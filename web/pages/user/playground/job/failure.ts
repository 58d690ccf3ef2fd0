import type { SettledState } from '../../../../../shared/console/trace.ts';
import type { ApiError } from '../../../../api/api-error.ts';
import type { Job } from '../../../../jobs/job.ts';

export interface Failure {
  job: Job;
  /** Null when only its record tells of it. */
  error: ApiError | null;
  /** Null when there is no record, or it could not be read. */
  settled: SettledState | null;
}

export function codeOf({ error, settled }: Failure): ApiError['code'] | SettledState['code'] {
  return error?.code ?? settled?.code ?? null;
}
