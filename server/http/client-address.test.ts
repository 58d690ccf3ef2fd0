import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const proxy = '10.0.0.9';

it.each<[string, number, string | undefined, string | null]>([
  ['the connection’s other end', 0, undefined, proxy],
  ['the connection’s other end, whatever a header says', 0, '203.0.113.7', proxy],
  ['what one proxy saw', 1, '203.0.113.7', '203.0.113.7'],
  ['what one proxy saw, behind what the client invented', 1, '1.1.1.1, 203.0.113.7', '203.0.113.7'],
  ['what the outer of two proxies saw', 2, '1.1.1.1, 203.0.113.7, 10.0.0.8', '203.0.113.7'],
  ['what the only proxy on the way saw', 2, '203.0.113.7', '203.0.113.7'],
  ['the proxy, when it says nothing', 1, undefined, proxy],
  ['an address without its port', 1, '203.0.113.7:51234', '203.0.113.7'],
  ['an IPv6 address without its port', 1, '[2001:db8::7]:51234', '2001:db8::7'],
  ['an IPv6 address in brackets', 1, '[2001:db8::7]', '2001:db8::7'],
  ['an IPv4 address in IPv6', 1, '::ffff:203.0.113.7', '203.0.113.7'],
  ['nothing, when the proxy does not know', 1, 'unknown', null],
  ['nothing, when the last entry is empty', 1, '203.0.113.7,', null],
])('is %s', (_what, trustedProxies, forwarded, expected) => {
  // All that is read of a request.
  const request = {
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    raw: { socket: { remoteAddress: `::ffff:${proxy}` } },
  } as unknown as FastifyRequest;
  expect(clientAddress(request, trustedProxies)).toBe(expected);
});
