import { isChunkError, noteNewVersion } from '../lib/new-version.ts';
import { unreachable } from './api-error.ts';

/**
 * Loads a part of the console. Where the service is out of reach it fails like any other request, and can be
 * tried again: of a missing file the router would reload the page, and with it lose what runs there.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isChunkError(error) || (await noteNewVersion())) throw error;
    throw unreachable(error);
  }
}
