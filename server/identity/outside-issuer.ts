/**
 * The OpenID issuer that the operator configured: authorization code flow with PKCE, state and
 * nonce. The only place that knows the library. All that it asks goes through the guarded
 * transport, to the issuer and to the endpoints that the issuer names.
 */
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { Clock } from '../lib/clock.ts';
import { type GuardedHttp, openGuardedHttp } from '../lib/outgoing/guarded-http.ts';
import { ServiceError } from '../lib/service-error.ts';

export interface IssuerOptions {
  /** As it calls itself: `https://login.example.com`. */
  issuer: string;
  clientId: string;
  /** Null for a public client, which PKCE alone protects. */
  clientSecret: string | null;
  scopes: string;
}

/** What an answer is checked against; a browser that began holds on to it. */
export interface OutsideVisit {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** What the issuer says of somebody. */
export interface OutsidePerson {
  issuer: string;
  subject: string;
  email: string | null;
  /** Whether the issuer has seen that the address is theirs. */
  emailVerified: boolean;
  name: string | null;
  /** How long ago the issuer saw them show who they are; null when it does not say. */
  seenAgoMs: number | null;
}

const issuerLimits = {
  /** How long what it says of itself is believed: its keys are asked for anew when one is unknown. */
  metadataMs: 3_600_000,
  answerMs: 10_000,
} as const;

interface Discovered {
  config: oidc.Configuration;
  http: GuardedHttp;
  untilMs: number;
}

export class OutsideIssuer {
  readonly #options: IssuerOptions;
  readonly #clock: Clock;
  #discovered: Promise<Discovered> | null = null;

  constructor(options: IssuerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Where the browser goes, and what to keep until it is back. */
  async begin({
    redirectUri,
    seenWithinMs,
  }: {
    redirectUri: string;
    /**
     * Not null: the issuer is to ask for the password although it knows the browser, and to say when
     * it saw it. Whether it did, only the answer tells: the browser can change what is asked.
     */
    seenWithinMs: number | null;
  }): Promise<{ url: string; visit: OutsideVisit }> {
    const { config } = await this.#discover();
    const visit: OutsideVisit = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirectUri,
    };
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.#options.scopes,
      state: visit.state,
      nonce: visit.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: 'S256',
      ...(seenWithinMs !== null && {
        prompt: 'login',
        max_age: String(Math.floor(seenWithinMs / 1000)),
      }),
    });
    return { url: url.href, visit };
  }

  /** Whom the browser came back as; null when the answer is not right, or they did not agree. */
  async finish(answer: URLSearchParams, visit: OutsideVisit): Promise<OutsidePerson | null> {
    const { config } = await this.#discover();
    const url = new URL(visit.redirectUri);
    url.search = answer.toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: visit.state,
        expectedNonce: visit.nonce,
        pkceCodeVerifier: visit.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) return null;
      const { issuer } = config.serverMetadata();
      const said = await completeClaims(config, claims, tokens.access_token);
      return { issuer, subject: claims.sub, seenAgoMs: seenAgoMs(claims), ...personOf(said) };
    } catch (error) {
      if (isRefusal(error)) return null;
      throw unavailable(error);
    }
  }

  async close(): Promise<void> {
    const discovered = await this.#discovered?.catch(() => null);
    await discovered?.http.close();
  }

  #discover(): Promise<Discovered> {
    const known = this.#discovered ?? this.#keep(this.#discoverAnew());
    return known.then((discovered) => {
      if (discovered.untilMs > this.#clock.monotonic()) return discovered;
      if (this.#discovered === known) {
        void discovered.http.close();
        this.#discovered = null;
      }
      return this.#discover();
    });
  }

  #keep(discovering: Promise<Discovered>): Promise<Discovered> {
    this.#discovered = discovering;
    // A failure is not kept: the next visitor asks again.
    discovering.catch(() => {
      if (this.#discovered === discovering) this.#discovered = null;
    });
    return discovering;
  }

  async #discoverAnew(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.#options;
    const server = new URL(issuer);
    const first = openIssuerHttp([server.origin]);
    try {
      const config = await oidc.discovery(
        server,
        clientId,
        undefined,
        clientSecret === null ? oidc.None() : bySecret(clientSecret),
        {
          [oidc.customFetch]: fetchOf(first),
          // Refused by the options unless it is on this machine.
          execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
          timeout: issuerLimits.answerMs / 1000,
        },
      );
      // Throws where it tells no address to send browsers to: what cannot be used is not kept.
      oidc.buildAuthorizationUrl(config, {});
      const http = openIssuerHttp([server.origin, ...endpointOrigins(config.serverMetadata())]);
      config[oidc.customFetch] = fetchOf(http);
      const untilMs = this.#clock.monotonic() + issuerLimits.metadataMs;
      return { config, http, untilMs };
    } catch (error) {
      throw unavailable(error);
    } finally {
      await first.close();
    }
  }
}

/** The library leaves fields it has no value for undefined, which our types tell from absent. */
function fetchOf(http: GuardedHttp): oidc.CustomFetch {
  return (url, { body, signal, ...rest }) =>
    http.fetch(url, {
      ...rest,
      ...(body !== undefined && { body: withoutSharing(body) }),
      ...(signal && { signal }),
    });
}

/** The library may hand over bytes of shared memory, as far as its types go; `fetch` takes none. */
function withoutSharing(body: oidc.FetchBody) {
  return body instanceof Uint8Array ? body.slice() : (body ?? null);
}

/** In the body where the issuer takes it there, else in the header, which every issuer has to take. */
function bySecret(secret: string): oidc.ClientAuth {
  const inBody = oidc.ClientSecretPost(secret);
  const inHeader = oidc.ClientSecretBasic(secret);
  return (issuer, ...rest) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? [];
    (methods.includes('client_secret_post') ? inBody : inHeader)(issuer, ...rest);
  };
}

function openIssuerHttp(origins: readonly string[]): GuardedHttp {
  const { answerMs } = issuerLimits;
  const unique = [...new Set(origins)];
  return openGuardedHttp({ origins: unique, proxy: null, firstByteMs: answerMs, idleMs: answerMs });
}

/** Large issuers keep theirs on other hosts than they are named after. */
function endpointOrigins(metadata: oidc.ServerMetadata): string[] {
  const { token_endpoint, userinfo_endpoint, jwks_uri } = metadata;
  return [token_endpoint, userinfo_endpoint, jwks_uri].flatMap((endpoint) => {
    const url = endpoint === undefined ? null : URL.parse(endpoint);
    return url ? [url.origin] : [];
  });
}

type Claims = Readonly<Record<string, unknown>>;

/** Many issuers tell the address only when asked. */
async function completeClaims(
  config: oidc.Configuration,
  claims: Claims & { sub: string },
  accessToken: string,
): Promise<Claims> {
  const hasEmail = claims['email'] !== undefined;
  if (hasEmail || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...claims, ...(await oidc.fetchUserInfo(config, accessToken, claims.sub)) };
}

function personOf(claims: Claims): Pick<OutsidePerson, 'email' | 'emailVerified' | 'name'> {
  const { email, name } = claims;
  return {
    email: typeof email === 'string' ? email : null,
    // Only the boolean counts: a word could be any word.
    emailVerified: claims['email_verified'] === true,
    name: typeof name === 'string' ? name : null,
  };
}

/** Both times are of the issuer's clock, so that it need not agree with ours. */
function seenAgoMs({ auth_time, iat }: oidc.IDToken): number | null {
  return auth_time === undefined ? null : Math.max(iat - auth_time, 0) * 1000;
}

/**
 * The issuer or the visitor said no, or what came back was made up; as opposed to no answer at all, to an
 * issuer that does not take us for what we are configured as or tells what cannot be used, and to one whose
 * clock is not as ours, which an operator has to mend.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.AuthorizationResponseError) return !troubles.has(error.error);
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  return error instanceof oidc.ClientError && isOfVisitor(error);
}

/** Whether a browser can bring it about: by the address it comes back to, or with the code of another visit. */
function isOfVisitor({ code, cause }: oidc.ClientError): boolean {
  const about = detailsSchema.safeParse(cause).data?.cause;
  if (code === 'OAUTH_INVALID_RESPONSE') return about?.parameters !== undefined;
  return code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && about?.claim === 'nonce';
}

/** What the library says of an answer that is not right. */
const detailsSchema = z.object({
  cause: z.object({ parameters: z.unknown().optional(), claim: z.string().optional() }),
});

/** What no visitor can be blamed for: https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
const troubles = new Set([
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_response_type',
]);

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'The sign-in service does not answer. Try again.', {
    retryAfterSeconds: 10,
    cause,
  });
}
