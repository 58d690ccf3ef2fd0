import type { FastifyInstance } from 'fastify';
import { assert } from '../../lib/assert.ts';
import { OperatorError } from '../../lib/operator-error.ts';

/**
 * Connections that may wait to be taken: what Linux allows. Node's own 511 are too few when 2,000
 * come at once.
 */
const backlog = 4_096;

/** Listens and says where: `http://127.0.0.1:8080`. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
  /** The options that say where. */
  options = { host: '--host or TINTYPE_HOST', port: '--port or TINTYPE_PORT' },
): Promise<string> {
  // For that name Fastify opens a server for each address, and all but one are not the one that was set up.
  const address = host === 'localhost' ? '127.0.0.1' : host;
  try {
    await server.listen({ host: address, port, backlog });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') {
      throw new OperatorError(
        `port ${port} on ${host} is in use; stop what uses it, or choose another with ${options.port} (0 takes any free one)`,
      );
    }
    if (error.code === 'EACCES') {
      throw new OperatorError(`port ${port} on ${host} needs rights that this user does not have`);
    }
    if (error.code === 'EADDRNOTAVAIL') {
      throw new OperatorError(`this machine has no address ${host}; see ${options.host}`);
    }
    // A link-local address, or one of a kind that the system does not have, such as `::` without IPv6.
    if (error.code === 'EINVAL' || error.code === 'EAFNOSUPPORT') {
      throw new OperatorError(
        `this machine cannot listen on ${host} (${error.code}): choose another address with ${options.host}`,
      );
    }
    if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
      throw new OperatorError(`the name ${host} leads to no address; see ${options.host}`);
    }
    throw error;
  }
  const bound = server.server.address();
  assert(bound && typeof bound === 'object', 'a listening server has an address');
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `http://${shown}:${bound.port}`;
}
