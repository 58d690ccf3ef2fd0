import { isChunkError, whyUnloaded } from '../lib/new-version.ts';
import { unreachable } from './api-error.ts';

/**
 * Loads a part of the console. When the service cannot be reached, this fails like any other request and can be tried
 * again. Without it the router would take the part for a missing file and reload the page, which ends all that runs
 * there.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isChunkError(error) || (await whyUnloaded(error)) !== 'unreachable') throw error;
    throw unreachable(error);
  }
}
