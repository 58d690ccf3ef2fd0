import type { Config } from '../../../server/config.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { openIssuer, type TestIssuer } from '../../support/services/openid-issuer.ts';

/** An issuer, and the options of a service that knows it and is to be started. */
export async function openConsoleIssuer(): Promise<{
  issuer: TestIssuer;
  options: Partial<Config>;
}> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const issuer = await openIssuer(`${publicUrl}/api/console/sign-in/issuer/callback`);
  const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = issuer;
  const client = { oidcIssuer, oidcClientId, oidcClientSecret, oidcName: 'Example ID' };
  return { issuer, options: { port, publicUrl, ...client } };
}
