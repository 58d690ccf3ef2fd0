/** A real OpenID issuer on loopback, at which everybody signs in as whom the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Person {
  subject: string;
  email: string;
  emailVerified: boolean;
  name?: string;
}

export interface TestIssuer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whom the next visitor signs in as; null refuses to. */
  person: Person | null;
  /** How long ago it asked for the password that it believes. */
  askedAgoMs: number;
  /** Makes it answer nothing. */
  isDown: boolean;
  /** Walks a browser from where it was sent to where the issuer sends it back. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

const clientId = 'tintype';
const clientSecret = 'a secret between the two of them';
const hopsMax = 10;

/** @param redirectUri the only place it sends browsers back to */
export async function openIssuer(redirectUri: string): Promise<TestIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  const provider = makeProvider(issuer, { redirectUri, people });
  const answer = provider.callback();
  const test: TestIssuer = {
    issuer,
    clientId,
    clientSecret,
    person: null,
    askedAgoMs: 0,
    isDown: false,
    visit: (url) => walk(url, redirectUri),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (test.isDown) request.socket.destroy();
    else if (request.url?.startsWith('/interaction/')) {
      const { person, askedAgoMs } = test;
      if (person) people.set(person.subject, person);
      void decide(provider, { request, response, person, askedAgoMs });
    } else void answer(request, response);
  });
  return test;
}

function makeProvider(
  issuer: string,
  { redirectUri, people }: { redirectUri: string; people: ReadonlyMap<string, Person> },
): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, subject) => {
      const person = people.get(subject);
      if (!person) return undefined;
      const { email, emailVerified, name } = person;
      const claims = { sub: subject, email, email_verified: emailVerified, ...(name && { name }) };
      return { accountId: subject, claims: () => claims };
    },
  });
}

/** Signs in and agrees to everything, as a person at a page would in two steps. */
async function decide(
  provider: Provider,
  {
    request,
    response,
    person,
    askedAgoMs,
  }: {
    request: IncomingMessage;
    response: ServerResponse;
    person: Person | null;
    askedAgoMs: number;
  },
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (!person) {
    const result = { error: 'access_denied', error_description: 'The visitor said no' };
    await provider.interactionFinished(request, response, result);
    return;
  }
  if (prompt.name === 'login') {
    const ts = Math.floor((Date.now() - askedAgoMs) / 1000);
    const result = { login: { accountId: person.subject, ts } };
    await provider.interactionFinished(request, response, result);
    return;
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? person.subject,
    clientId: String(params['client_id']),
  });
  grant.addOIDCScope(String(params['scope']));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent });
}

async function walk(start: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let hops = 0; hops < hopsMax; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await answer.body?.cancel();
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`the issuer answered ${answer.status} at ${url.pathname}`);
    url = new URL(location, url);
    if (url.href.startsWith(redirectUri)) return url;
  }
  throw new Error('the issuer sends in circles');
}
