/** The addresses that stand for all of a machine, and what this machine itself is reached by. */
const everywhere = [
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
] as const;

/**
 * Where somebody on this machine opens what listens at `baseUrl`: an address that stands for all of them is none
 * that every browser and client takes.
 */
export function localAddress(baseUrl: string): string {
  const all = everywhere.find(([host]) => baseUrl.startsWith(`http://${host}:`));
  return all ? baseUrl.replace(all[0], all[1]) : baseUrl;
}
