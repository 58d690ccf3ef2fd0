import { beforeAll, expect, test } from 'vitest';
import type { Config } from '../../../../server/config.ts';
import { must } from '../../../../server/lib/assert.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { addMember, textField, Visitor } from '../../../support/console/visitor.ts';
import { openIssuer, type TestIssuer } from '../../../support/services/openid-issuer.ts';

const publicUrl = 'http://images.example.com';
const callback = '/sign-in/issuer/callback';
const config: Partial<Config> = { publicUrl };
const lines: string[] = [];
let issuer: TestIssuer | null = null;

// Before the service starts, which is told another secret than the issuer's.
beforeAll(async () => {
  const opened = await openIssuer(`${publicUrl}/api/console${callback}`);
  issuer = opened;
  const { issuer: oidcIssuer, clientId: oidcClientId } = opened;
  Object.assign(config, { oidcIssuer, oidcClientId, oidcClientSecret: 'mistyped' });
  return () => opened.close();
});

describeApi(
  (api) => {
    /** Goes to the issuer as a member; answers with the address it sends back to. */
    const leave = async () => {
      const { email } = await addMember(api.app);
      const visitor = new Visitor(api.app.baseUrl);
      const begun = await visitor.post('/sign-in/issuer', {});
      const asked = must(issuer, 'an issuer that has started');
      asked.person = { subject: email, email, emailVerified: true };
      return { visitor, url: await asked.visit(textField(begun, 'url')) };
    };
    /** Comes back; answers with the page that is shown, and what was logged of it. */
    const comeBack = async (visitor: Visitor, url: URL) => {
      lines.length = 0;
      const answer = await visitor.get(`${callback}${url.search}`, {
        headers: { 'x-tintype-console': null, 'sec-fetch-site': 'cross-site' },
      });
      const logged = lines.filter((line) => line.includes('the OpenID issuer signed nobody in'));
      return { page: answer.headers.get('location'), logged };
    };
    const unavailable = '/login?problem=unavailable&next=%2F';

    test('a client secret that the issuer does not know is no refusal, and is logged', async () => {
      const { visitor, url } = await leave();
      const { page, logged } = await comeBack(visitor, url);
      expect(page).toBe(unavailable);
      expect(logged).toEqual([expect.stringContaining('"code":"OAUTH_')]);
    });

    test.each(['invalid_scope', 'unauthorized_client', 'temporarily_unavailable'])(
      'so is %s, with which the issuer sends somebody back',
      async (error) => {
        const { visitor, url } = await leave();
        url.searchParams.delete('code');
        url.searchParams.set('error', error);
        const { page, logged } = await comeBack(visitor, url);
        expect(page).toBe(unavailable);
        expect(logged).toHaveLength(1);
      },
    );

    test('what the visitor does not want is a refusal', async () => {
      const { visitor, url } = await leave();
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
      const { page, logged } = await comeBack(visitor, url);
      expect([page, logged]).toEqual(['/login?problem=refused&next=%2F', []]);
    });
  },
  { config, onLogLine: (line) => lines.push(line) },
);
