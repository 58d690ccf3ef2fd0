import { UpstreamError } from '../upstream.ts';
import { restated } from './restated.ts';

/** What comes before the request that asks for the picture: whatever becomes of it, none was made. */
export async function uncharged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof UpstreamError ? restated(error, { possiblyCharged: false }) : error;
  }
}
