/** A small OpenID issuer on loopback that says whatever a test wants: each path's answer is as it is put. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface IssuerAnswer {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  body: unknown;
}

export type Claims = Readonly<Record<string, unknown>>;

export class ScriptedIssuer {
  readonly clientId = 'tintype';
  issuer = '';
  readonly says = new Map<string, IssuerAnswer>();
  /** Paths, in the order in which they were asked for. */
  readonly asked: string[] = [];
  readonly #server = createServer((request, response) => {
    const path = request.url ?? '';
    this.asked.push(path);
    const { status = 200, headers, body } = this.says.get(path) ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()));
    // A listening TCP server's address is never a string.
    const { port } = this.#server.address() as AddressInfo;
    this.issuer = `http://127.0.0.1:${port}`;
    const { issuer } = this;
    const body = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
    };
    this.says.set('/.well-known/openid-configuration', { body });
  }

  /** Its next answer to a code. */
  tell(claims: Claims, header: Claims = { alg: 'RS256' }): void {
    const now = Math.floor(Date.now() / 1000);
    const base = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 60 };
    const id_token = tokenOf(header, { ...base, ...claims });
    this.says.set('/token', { body: { access_token: 'access', token_type: 'Bearer', id_token } });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

/** What comes straight from the issuer is not asked for a signature. */
function tokenOf(header: Claims, claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${part({})}`;
}
