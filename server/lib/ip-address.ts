/** Network addresses and ranges in one spelling each, so that they can be compared. */
import ipaddr from 'ipaddr.js';

/**
 * The one spelling of an address: an IPv4 address inside an IPv6 one becomes itself, a scope such as
 * `%eth0` goes. Null for what is no address.
 */
export function parseIpAddress(text: string): string | null {
  const [bare = ''] = text.trim().split('%');
  // Older spellings such as `0x7f.1` mean different addresses to different programs.
  if (!bare.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return null;
  if (!ipaddr.isValid(bare)) return null;
  return ipaddr.process(bare).toString();
}

/** The one spelling of an address or a CIDR range such as `10.0.0.0/8`. Null for anything else. */
export function parseIpRange(text: string): string | null {
  const [host = '', bits, ...more] = text.trim().split('/');
  const address = parseIpAddress(host);
  if (address === null || more.length > 0) return null;
  if (bits === undefined) return address;
  const bitsMost = address.includes(':') ? 128 : 32;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMost) return null;
  const network = address.includes(':')
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
    : ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`);
  return Number(bits) === bitsMost ? network.toString() : `${network.toString()}/${Number(bits)}`;
}

/** @param ranges as `parseIpRange` gives them */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  const parsed = ipaddr.parse(address);
  return ranges.some((range) => {
    if (!range.includes('/')) return range === address;
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
