import { UpstreamError } from '../upstream.ts';
import { restated } from './restated.ts';

/**
 * Waits for work that comes before the request for the picture, such as an upload: when it fails, its error says that
 * nothing can have been charged.
 */
export async function uncharged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof UpstreamError ? restated(error, { possiblyCharged: false }) : error;
  }
}
