import { expect, test } from 'vitest';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { accessTokenLimits } from '../../../../server/identity/access-token.ts';
import { accessTokenDaysMax, accountSchema } from '../../../../shared/console/account.ts';
import { describeApi, outcomeOf } from '../../../support/callers/api.ts';
import {
  addMember,
  field,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const longEnough = 'another good password';

describeApi(
  (api) => {
    const accountOf = async (visitor: Visitor) =>
      accountSchema.parse((await visitor.get('/account')).body);
    const make = async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const answer = await visitor.post('/account/access-tokens', { name: 'CI', days: 30 });
      expect(answer.status).toBe(200);
      const secret = textField(answer, 'secret');
      const script = new Visitor(api.app.baseUrl, { authorization: `Bearer ${secret}` });
      return { visitor, secret, script };
    };
    const scriptHeaders = { 'x-tintype-console': null, 'sec-fetch-site': null };

    test('an access token is shown once and works without cookie and header', async () => {
      const { visitor, secret, script } = await make();
      expect(secret).toMatch(/^tin-pat-[\w-]{43}$/);
      const account = await visitor.get('/account');
      expect(account.text).not.toContain(secret.slice(10));
      expect(field(account, 'access_tokens')).toMatchObject([
        { name: 'CI', ends: secret.slice(-4), last_used_at: null },
      ]);
      const changed = await script.ask('PATCH', '/account/profile', {
        body: { name: 'Robot' },
        headers: scriptHeaders,
      });
      expect(changed).toMatchObject({ status: 200, body: { name: 'Robot' } });
      expect((await accountOf(visitor)).access_tokens[0]?.last_used_at).not.toBeNull();
    });

    test('an access token ends when it is revoked, and when it expires', async () => {
      const { visitor, script } = await make();
      const [token] = (await accountOf(visitor)).access_tokens;
      expect(await script.isSignedIn()).toBe(true);
      await visitor.ask('DELETE', `/account/access-tokens/${token?.id}`);
      expect(await script.isSignedIn()).toBe(false);
      const second = await make();
      const dayMs = 24 * 3_600_000;
      clock.advance(30 * dayMs - 1);
      expect(await second.script.isSignedIn()).toBe(true);
      clock.advance(1);
      expect(await second.script.isSignedIn()).toBe(false);
    });

    test('an access token is revoked once, and by nobody but its owner', async () => {
      const { visitor, script } = await make();
      const stranger = await signedIn(api.app, await addMember(api.app));
      const [token] = (await accountOf(visitor)).access_tokens;
      const path = `/account/access-tokens/${token?.id}`;
      expect(outcomeOf(await stranger.ask('DELETE', path))).toMatchObject({ status: 404 });
      expect(await script.isSignedIn()).toBe(true);
      expect((await visitor.ask('DELETE', path)).status).toBe(200);
      expect(outcomeOf(await visitor.ask('DELETE', path))).toMatchObject({ status: 404 });
    });

    test('an access token ends while its user is disabled', async () => {
      const { visitor, script } = await make();
      const { id } = await accountOf(visitor);
      await setUserEnabled(api.app.admin, id, false);
      expect(await script.isSignedIn()).toBe(false);
    });

    test.each([
      ['POST', '/account/password', { password: longEnough }],
      ['POST', '/account/access-tokens', { name: 'more', days: null }],
      ['POST', '/account/authenticator', undefined],
      ['DELETE', '/account/authenticator', undefined],
      ['POST', '/account/recovery-codes', undefined],
      ['POST', '/account/passkeys/question', undefined],
      ['POST', '/account/sessions/end-all', undefined],
      ['POST', '/account/sessions/end-others', undefined],
      ['DELETE', '/account/sessions/ses_1', undefined],
      ['POST', '/prove', { kind: 'password', password: goodPassword }],
    ])('an access token cannot %s %s', async (method, path, body) => {
      const { script } = await make();
      const answer = await script.ask(method, path, {
        headers: scriptHeaders,
        ...(body && { body }),
      });
      expect(outcomeOf(answer)).toMatchObject({ status: 403, code: 'proof_needed' });
    });

    test('an access token is no API key, nor an API key an access token', async () => {
      const { secret } = await make();
      expect((await api.get('/v1/models', { user: { apiKey: secret } })).status).toBe(401);
      const key = new Visitor(api.app.baseUrl, { authorization: `Bearer ${api.user.apiKey}` });
      expect((await key.get('/account')).status).toBe(401);
    });

    test('an access token is one of at most so many', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const wanted = { name: 'one', days: null };
      for (let i = 0; i < accessTokenLimits.perUserMax; i++) {
        expect((await visitor.post('/account/access-tokens', wanted)).status).toBe(200);
      }
      expect((await visitor.post('/account/access-tokens', wanted)).status).toBe(400);
    });

    test('an access token lives at most a year', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const ask = (days: number) => visitor.post('/account/access-tokens', { name: 'a', days });
      expect((await ask(accessTokenDaysMax)).status).toBe(200);
      expect((await ask(accessTokenDaysMax + 1)).status).toBe(400);
    });
  },
  { clock },
);
