/**
 * Access tokens for Google's service accounts: a statement signed with the account's key is
 * exchanged for one. Google's own library would ask from outside our guard.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { UpstreamError } from '../upstream.ts';
import { ask, readJson } from '../wire/ask.ts';
import { answerLimits } from '../wire/limits.ts';
import { uncharged } from '../wire/uncharged.ts';
import type { VendorService } from './vendor.ts';

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const statementLifetimeS = 3600;
/** A token is not used in the last minute of its life. */
const reserveS = 60;
const tokensMax = 64;

export type ServiceAccount = z.infer<typeof accountSchema>;

const accountSchema = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().nullish(),
  project_id: z.string().nullish(),
});

const tokenSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
});

/** Null when the credential is not the JSON of a service account, but an API key. */
export function readServiceAccount(credential: string): ServiceAccount | null {
  if (!credential.trimStart().startsWith('{')) return null;
  const parsed = accountSchema.safeParse(parseJson(credential));
  if (parsed.success) return parsed.data;
  throw new UpstreamError('auth', 'the credential is not the JSON of a service account');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** By a hash of what they were given for, shared by all upstreams. */
const tokens = new LRUCache<string, { accessToken: string; untilMs: number }>({ max: tokensMax });

export async function accessTokenFor(
  account: ServiceAccount,
  service: VendorService,
): Promise<string> {
  const { clock } = service;
  const name = nameOf(account, service);
  const known = tokens.get(name);
  if (known && clock.now() < known.untilMs) return known.accessToken;
  const { access_token: accessToken, expires_in: lifetimeS } = await uncharged(
    exchange(account, service),
  );
  tokens.set(name, { accessToken, untilMs: clock.now() + (lifetimeS - reserveS) * 1000 });
  return accessToken;
}

/** It may be refused long before its end: when the account was disabled for a while, for one. */
export function forgetAccessToken(account: ServiceAccount, service: VendorService): void {
  tokens.delete(nameOf(account, service));
}

function nameOf(account: ServiceAccount, { settings }: VendorService): string {
  return digest([settings.tokenUrl, account.client_email, account.private_key]);
}

async function exchange(account: ServiceAccount, service: VendorService) {
  const { http, clock, settings, signal } = service;
  const url = new URL(settings.tokenUrl);
  if (!service.isOwn(url)) {
    throw new UpstreamError(
      'auth',
      'with a base URL, a service account needs the setting tokenUrl',
    );
  }
  const assertion = signedStatement(account, {
    audience: settings.tokenUrl,
    nowS: Math.floor(clock.now() / 1000),
  });
  const answer = await ask(
    http,
    {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
    },
    // Every 400 of this address is about the account: `invalid_grant` and its like.
    { signal, rules: { statuses: { 400: 'auth' } } },
  );
  const parsed = tokenSchema.safeParse(await readJson(answer, answerLimits.listBytesMax));
  if (parsed.success) return parsed.data;
  throw new UpstreamError('protocol', 'the token URL gave no access token');
}

/** A JSON Web Token. */
function signedStatement(
  account: ServiceAccount,
  { audience, nowS }: { audience: string; nowS: number },
): string {
  const header = {
    alg: 'RS256',
    typ: 'JWT',
    ...(account.private_key_id && { kid: account.private_key_id }),
  };
  const claims = {
    iss: account.client_email,
    scope,
    aud: audience,
    iat: nowS,
    exp: nowS + statementLifetimeS,
  };
  const statement = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${statement}.${signatureOf(statement, account.private_key)}`;
}

function signatureOf(statement: string, privateKey: string): string {
  try {
    const key = createPrivateKey(privateKey);
    return sign('sha256', Buffer.from(statement), key).toString('base64url');
  } catch {
    throw new UpstreamError('auth', 'the private key of the service account cannot be used');
  }
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
