import dns from 'node:dns';
import { fastify } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen } from './listen.ts';

describe('listen', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('opens one server where localhost has several addresses', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation(lookUp as typeof dns.lookup);
    await using server = fastify();
    const baseUrl = await listen(server, { host: 'localhost', port: 0 });
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.addresses()).toHaveLength(1);
  });

  it('says that an address is none to listen on, as one that needs a network interface beside it', async () => {
    await using server = fastify();
    await expect(listen(server, { host: 'fe80::1', port: 0 })).rejects.toThrow(
      /^this machine cannot listen on fe80::1 \([A-Z]+\): choose another address with --host or TINTYPE_HOST$/,
    );
  });
});

/** As a resolver does that knows several addresses of this machine. */
function lookUp(
  name: string,
  _options: { all: true },
  callback: (error: null, found: readonly dns.LookupAddress[]) => void,
): void {
  const found = name === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [name];
  callback(
    null,
    found.map((address) => ({ address, family: 4 })),
  );
}
