import { ServiceError } from '../lib/service-error.ts';
import { consolePrefix } from './console/console-path.ts';

const endOfApiPath = /\/(images\/generations|images\/edits|models)\/*$/;
const versionTwice = /\/v1\/+v1\//;

/**
 * The 404 of an address that nothing has. A client whose base URL lacks `/v1`, has it twice or with a slash too many, is
 * one for Azure's addresses or a whole address itself, is told which one it meant: nothing else would say what is wrong.
 * Some programs add `/v1` to the base URL themselves, and it does no good to hear there that it ends in that.
 */
export function nothingHere(path: string): ServiceError {
  const [, meant] = path.startsWith(consolePrefix) ? [] : (endOfApiPath.exec(path) ?? []);
  return new ServiceError('not_found', `There is nothing at this address. ${hintFor(path, meant)}`);
}

function hintFor(path: string, meant: string | undefined): string {
  if (meant === undefined) return 'See /openapi.json.';
  if (versionTwice.test(path))
    return `It has /v1 twice: if the program adds it to the base URL, leave it out there. This is at /v1/${meant}.`;
  return `The base URL of the API ends in /v1, and this is at /v1/${meant}.`;
}
