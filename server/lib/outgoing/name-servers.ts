import { Resolver } from 'node:dns/promises';
import type { ResolvedAddress, ResolveHost } from './guarded-address.ts';

/** About six seconds for each name server where none answers: all are asked again, and waited for twice as long. */
const patience = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers themselves. The system's own way looks up two names at a time, in threads, and keeps them for as
 * long as nobody answers: whoever chooses names for which that never happens would keep the names of upstreams waiting.
 * This takes no thread, and does not know what only this machine does, by its file of hosts.
 *
 * @param servers other ones than those of the system: `127.0.0.1:5353`
 */
export function askNameServers(servers: readonly string[] | null): ResolveHost {
  return async (host) => {
    const resolver = new Resolver(patience);
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((found) => of(4, found)),
      resolver.resolve6(host).then((found) => of(6, found)),
    ]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

function of(family: number, addresses: readonly string[]): readonly ResolvedAddress[] {
  return addresses.map((address) => ({ address, family }));
}
