import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where the operator lets callers' URLs lead although the address is not public. */
export interface AddressExceptions {
  includesAddress(address: string): boolean;
  includesHost(host: string): boolean;
}

/**
 * Whether an IP address is one of the public internet. Only global unicast is: private, loopback,
 * link-local, shared, multicast and reserved ranges are not, nor are the IPv6 ranges that stand for
 * an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), whatever that address is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || cloudAddresses.includes(address)) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/** All that IANA gives out of IPv6; what else looks like unicast is unassigned. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Public by number, but answered inside a cloud by the machine's own host: Azure's agent. */
const cloudAddresses = ['168.63.129.16'];

/**
 * Reads an operator's list of addresses (`10.1.2.3`), ranges (`10.0.0.0/8`, `fd00::/8`) and host
 * names (`minio.internal`). Throws on anything else.
 */
export function parseAddressExceptions(entries: readonly string[]): AddressExceptions {
  const hosts = new Set<string>();
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry));
    else if (isIP(entry)) ranges.push(singleAddress(entry));
    else if (hostPattern.test(entry)) hosts.add(entry.toLowerCase());
    else throw new Error(`neither an IP address, nor a range, nor a host name: ${entry}`);
  }
  return {
    includesAddress(address) {
      if (isIP(address) === 0) return false;
      const parsed = ipaddr.parse(address);
      return ranges.some(([range, bits]) => {
        return parsed.kind() === range.kind() && parsed.match(range, bits);
      });
    },
    includesHost: (host) => hosts.has(host.toLowerCase()),
  };
}

const hostPattern = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i;

/** Whether `parseAddressExceptions` reads it. */
export function isAddressException(entry: string): boolean {
  return ipaddr.isValidCIDR(entry) || isIP(entry) !== 0 || hostPattern.test(entry);
}

function singleAddress(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.toByteArray().length * 8];
}
