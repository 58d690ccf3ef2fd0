import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../lib/operator-error.ts';

/** Listens and says where: `http://127.0.0.1:8080`. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EADDRINUSE') {
      throw new OperatorError(
        `port ${port} on ${host} is in use; stop what uses it, or choose another with TINTYPE_PORT (0 takes any free one)`,
      );
    }
    if (error.code === 'EACCES') {
      throw new OperatorError(`port ${port} on ${host} needs rights that this user does not have`);
    }
    if (error.code === 'EADDRNOTAVAIL') {
      throw new OperatorError(`this machine has no address ${host}; see TINTYPE_HOST`);
    }
    throw error;
  }
  const address = server.server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('broken expectation: a listening server has an address');
  }
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${shown}:${address.port}`;
}
