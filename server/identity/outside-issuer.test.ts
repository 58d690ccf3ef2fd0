import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { serve } from '../../test/support/services/outgoing.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { OutsideIssuer, type OutsideVisit } from './outside-issuer.ts';

/** What a small issuer on loopback says: each path's answer is as the test puts it. */
const says: Record<string, unknown> = {};
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(says[request.url ?? ''] ?? {}));
});
let issuer = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  issuer = `http://127.0.0.1:${port}`;
});
const metadata = (changes: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  ...changes,
});
beforeEach(() => {
  says['/.well-known/openid-configuration'] = metadata();
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clientId = 'tintype';
const redirectUri = 'https://images.example.com/callback';
const subject = 'person-1';

async function withIssuer(
  work: (outside: OutsideIssuer) => Promise<void>,
  clock: Clock = systemClock,
): Promise<void> {
  const options = { issuer, clientId, clientSecret: null, scopes: 'openid' };
  const outside = new OutsideIssuer(options, clock);
  try {
    await work(outside);
  } finally {
    await outside.close();
  }
}

const begin = (outside: OutsideIssuer) => outside.begin({ redirectUri, seenWithinMs: null });

/** Comes back from the issuer, which tells who it was by a token with these claims changed. */
function finish(
  outside: OutsideIssuer,
  visit: OutsideVisit,
  changes: (nowSeconds: number) => Readonly<Record<string, unknown>>,
) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: clientId, sub: subject, nonce: visit.nonce };
  says['/token'] = {
    access_token: 'access',
    token_type: 'Bearer',
    id_token: tokenOf({ ...claims, iat: now, exp: now + 60, ...changes(now) }),
  };
  return outside.finish(new URLSearchParams({ code: 'code', state: visit.state }), visit);
}

/** What comes straight from the issuer is not asked for a signature. */
function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.${part({})}`;
}

const trouble = { code: 'unavailable', cause: expect.any(Error) as Error };

describe('the OpenID issuer', () => {
  test('says who came back', async () => {
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      expect(await finish(outside, visit, () => ({}))).toMatchObject({ issuer, subject });
    });
  });

  test('is believed of an address what it says where it tells the address', async () => {
    const userinfo_endpoint = `${issuer}/userinfo`;
    says['/.well-known/openid-configuration'] = metadata({ userinfo_endpoint });
    says['/userinfo'] = { sub: subject, email: 'ann@example.com', email_verified: false };
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      const person = await finish(outside, visit, () => ({ email_verified: true }));
      expect(person).toMatchObject({ email: 'ann@example.com', emailVerified: false });
    });
  });

  test('may have its endpoints elsewhere than it is named after, as large ones do', async () => {
    const elsewhere = await serve(({ url, headers }, response) => {
      response.setHeader('content-type', 'application/json');
      const isAsked = url === '/userinfo' && headers.authorization === 'Bearer access';
      response.end(JSON.stringify(isAsked ? { sub: subject, email: 'ann@example.com' } : {}));
    });
    const userinfo_endpoint = `${elsewhere.origin}/userinfo`;
    says['/.well-known/openid-configuration'] = metadata({ userinfo_endpoint });
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      const person = await finish(outside, visit, () => ({}));
      expect(person).toMatchObject({ email: 'ann@example.com' });
    });
  });

  test('has seen nobody later than now', async () => {
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      const person = await finish(outside, visit, (now) => ({ auth_time: now + 600 }));
      expect(person).toMatchObject({ seenAgoMs: 0 });
    });
  });

  test('is asked after an hour what it says of itself by now', async () => {
    const clock = new ManualClock();
    await withIssuer(async (outside) => {
      await begin(outside);
      const authorization_endpoint = `${issuer}/another`;
      says['/.well-known/openid-configuration'] = metadata({ authorization_endpoint });
      clock.advance(3_600_000 - 1);
      expect((await begin(outside)).url).toContain(`${issuer}/auth?`);
      clock.advance(1);
      expect((await begin(outside)).url).toContain(`${issuer}/another?`);
    }, clock);
  });

  test.each<[string, (nowSeconds: number) => Readonly<Record<string, unknown>>]>([
    ['has ended', (now) => ({ exp: now - 3600 })],
    ['has not begun', (now) => ({ nbf: now + 3600 })],
  ])('has trouble, and refused nobody, where its token %s by our clock', async (_, changes) => {
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      await expect(finish(outside, visit, changes)).rejects.toMatchObject(trouble);
    });
  });

  test('is answered with a refusal where the visit is another', async () => {
    await withIssuer(async (outside) => {
      const { visit } = await begin(outside);
      expect(await finish(outside, visit, () => ({ nonce: 'of another' }))).toBeNull();
    });
  });

  test.each([
    ['no address', {}],
    ['none that is one', { authorization_endpoint: 'auth' }],
  ])('has trouble where it tells %s to sign in at, until it does', async (_, changes) => {
    const path = '/.well-known/openid-configuration';
    const mended = says[path];
    says[path] = { issuer, token_endpoint: `${issuer}/token`, ...changes };
    await withIssuer(async (outside) => {
      await expect(begin(outside)).rejects.toMatchObject(trouble);
      says[path] = mended;
      expect((await begin(outside)).url).toContain(`${issuer}/auth?`);
    });
  });
});
