import { ServiceError } from '../lib/service-error.ts';
import { consolePrefix } from './console/console-path.ts';

const endOfApiPath = /\/(images\/generations|images\/edits|models)\/*$/;

/**
 * The 404 of an address that nothing has. A client whose base URL lacks `/v1`, has it twice or with a slash too many, is
 * one for Azure's addresses or a whole address itself, is told which one it meant: nothing else would say what is wrong.
 */
export function nothingHere(path: string): ServiceError {
  const [, meant] = path.startsWith(consolePrefix) ? [] : (endOfApiPath.exec(path) ?? []);
  const hint =
    meant === undefined
      ? 'See /openapi.json.'
      : `The base URL of the API ends in /v1, and this is at /v1/${meant}.`;
  return new ServiceError('not_found', `There is nothing at this address. ${hint}`);
}
