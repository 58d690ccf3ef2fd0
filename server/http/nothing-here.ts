import { ServiceError } from '../lib/service-error.ts';

const apiPaths = ['/v1/images/generations', '/v1/images/edits', '/v1/models'];

/**
 * The 404 of an address that nothing has. A client whose base URL lacks `/v1`, or has it twice or with a
 * slash too many, is told which address it meant: nothing else would say what is wrong.
 */
export function nothingHere(path: string): ServiceError {
  const meant = `/v1${path.replace(/^(?:\/+v1(?=\/))*\/*/, '/').replace(/\/+$/, '')}`;
  const hint = apiPaths.includes(meant)
    ? `The base URL of the API ends in /v1, and this is at ${meant}.`
    : 'See /openapi.json.';
  return new ServiceError('not_found', `There is nothing at this address. ${hint}`);
}
