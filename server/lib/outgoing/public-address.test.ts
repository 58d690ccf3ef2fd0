import { describe, expect, test } from 'vitest';
import { isPublicAddress, parseAddressExceptions } from './public-address.ts';

describe('public addresses', () => {
  test.each([
    ...['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.0.1'],
    ...['2001:4860:4860::8888', '2606:4700::1111', '2a00:1450:4001::1', '2620:fe::fe'],
  ])('%s is one', (address) => expect(isPublicAddress(address)).toBe(true));

  test.each([
    // This host, private, link-local, shared.
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '169.254.1.1', '100.64.0.1', '100.127.255.255'],
    // Metadata services of clouds.
    ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
    ...['fd00:ec2::254', 'fe80::a9fe:a9fe'],
    // Documentation, benchmarking, relays, multicast, reserved, broadcast.
    ...['192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ...['192.31.196.1', '192.52.193.1', '192.175.48.1', '224.0.0.1', '239.255.255.255'],
    ...['240.0.0.1', '255.255.255.255'],
    // The same in IPv6.
    ...['::', '::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
    ...['2001:db8::1', '3fff::1', '100::1', '2001:2::1', '2001:10::1', '2001:20::1', '5f00::1'],
    ...['2620:4f:8000::1', '4000::1', '8000::1'],
    // IPv4 inside IPv6, also where the inner address is public.
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
    ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
    ...['2002:7f00:1::', '2002:808:808::1', '2001:0:7f00:1::', '2001::1'],
    // Not addresses.
    ...['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8.8', '1.2.3.4/32', 'x'],
  ])('%s is none', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('exceptions of the operator', () => {
  const exceptions = parseAddressExceptions([
    '10.1.0.0/16',
    '192.168.7.7',
    'fd00::/8',
    'Minio.LAN',
  ]);

  test.each(['10.1.0.1', '10.1.255.255', '192.168.7.7', 'fd12::1'])('include %s', (address) => {
    expect(exceptions.includesAddress(address)).toBe(true);
  });

  test.each(['10.2.0.1', '192.168.7.8', 'fe80::1', '127.0.0.1', '::ffff:10.1.0.1', 'minio.lan'])(
    'do not include the address %s',
    (address) => expect(exceptions.includesAddress(address)).toBe(false),
  );

  test('include a host whatever the case of its letters', () => {
    expect(exceptions.includesHost('minio.lan')).toBe(true);
    expect(exceptions.includesHost('MINIO.lan')).toBe(true);
    expect(exceptions.includesHost('evil-minio.lan')).toBe(false);
    expect(exceptions.includesHost('10.1.0.1')).toBe(false);
  });

  test.each(['', '10.0.0.0/33', 'http://minio', 'minio:9000', 'a b', '*.lan'])(
    'cannot be %j',
    (entry) => expect(() => parseAddressExceptions([entry])).toThrow(/neither an IP address/),
  );
});
