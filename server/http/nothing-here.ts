import { ServiceError } from '../lib/service-error.ts';
import { consolePrefix } from './console/console-path.ts';

const endOfApiPath = /\/(images\/generations|images\/edits|models)\/*$/;
const endOfTextPath = /\/(completions|responses|embeddings)\/*$/;
const versionTwice = /\/v1\/+v1\//;

/**
 * The 404 of an address that nothing has. A client whose base URL lacks `/v1`, has it twice or with a slash too many, is
 * one for Azure's addresses or a whole address itself, is told which one it meant: nothing else would say what is wrong.
 * Some programs add `/v1` to the base URL themselves, and it does no good to hear there that it ends in that. Others take
 * a model whose name they do not know for one that writes, or have pictures made by one that does.
 */
export function nothingHere(path: string): ServiceError {
  const hint = path.startsWith(consolePrefix) ? 'See /openapi.json.' : hintFor(path);
  return new ServiceError('not_found', `There is nothing at this address. ${hint}`);
}

function hintFor(path: string): string {
  if (endOfTextPath.test(path))
    return 'This service only makes pictures, at /v1/images/generations and /v1/images/edits.';
  const [, meant] = endOfApiPath.exec(path) ?? [];
  if (meant === undefined) return 'See /openapi.json.';
  if (versionTwice.test(path))
    return `It has /v1 twice: if the program adds it to the base URL, leave it out there. This is at /v1/${meant}.`;
  return `The base URL of the API ends in /v1, and this is at /v1/${meant}.`;
}
