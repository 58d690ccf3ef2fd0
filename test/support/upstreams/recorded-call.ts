import type { AttemptRecord } from '../../../server/flows/requests/attempts/attempt.ts';
import type { AskedForm } from '../../../server/usage/usage-record.ts';

const call: AttemptRecord = {
  picture: 0,
  attempt: 1,
  upstream: 'studio',
  upstream_model: 'gpt-image-2',
  upstream_key: 'main',
  started_at: Date.UTC(2026, 0, 1),
  duration_ms: 18_204,
  fault: null,
  status: null,
  upstream_code: null,
  upstream_param: null,
  upstream_request_id: 'req_0123456789abcdef0123456789abcdef',
  possibly_charged: false,
  queued_behind: null,
  skipped: null,
  warnings: [],
};

/** A picture, and nothing said of how it is to be. */
export const plainWish: AskedForm = {
  size: 'auto',
  quality: 'auto',
  output_format: 'png',
  output_compression: null,
  background: 'auto',
  partial_images: 0,
  reference_images: 0,
  mask: false,
};

/** As usage records keep them: what a request asked for, and the one call that it took, as long as real ones. */
export const recordedWish = JSON.stringify(plainWish);
export const recordedCall = JSON.stringify([call]);
