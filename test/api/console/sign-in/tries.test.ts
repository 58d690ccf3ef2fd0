/** How often somebody may ask for a mail, open an account by an invitation, or give their password again. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../../server/config.ts';
import { changeSetting } from '../../../../server/flows/installation/change-setting.ts';
import { inviteUser } from '../../../../server/flows/users/invite-user.ts';
import { lockLimits, tryLimits } from '../../../../server/identity/try-limit.ts';
import { passkeyQuestionSchema } from '../../../../shared/console/sign-in.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { SoftwarePasskey } from '../../../support/console/software-passkey.ts';
import { amount } from '../../../support/console/test-admin.ts';
import { addMember, goodPassword, signedIn, Visitor } from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const publicUrl = 'https://images.example.com';
const config: Partial<Config> = {
  publicUrl,
  mailFrom: 'images@example.com',
  // Nobody listens there: how often mails are asked for is counted before one is sent.
  smtpUrl: 'smtp://127.0.0.1:1',
  // Tests say where they come from.
  trustedProxies: 1,
};

describeApi(
  (api) => {
    beforeAll(() => changeSetting(api.app.admin, { key: 'registration', value: 'open' }));

    describe.each(['/password-reset/mail', '/registration/mail'])('a mail by %s', (path) => {
      const kind = path.split('/')[1];
      const addressOf = (n: number) => `${kind}${n}-${api.user.id}@example.com`;
      const ask = async (email: string, from: string) => {
        const visitor = new Visitor(api.app.baseUrl, { 'x-forwarded-for': from });
        return (await visitor.post(path, { email })).status;
      };

      test('is for one address only so often, from wherever it is asked for', async () => {
        const statuses: number[] = [];
        for (let n = 0; n <= tryLimits.mail.freeTries; n++) {
          const spelling = n % 2 === 0 ? addressOf(0) : addressOf(0).toUpperCase();
          statuses.push(await ask(spelling, `198.51.100.${n}`));
        }
        expect(statuses).toEqual([...Array(tryLimits.mail.freeTries).fill(200), 429]);
      });

      test('is sent only so often for one network address, whomever it is for', async () => {
        const here = '198.51.101.1';
        const statuses: number[] = [];
        for (let n = 1; n <= tryLimits.mail_address.freeTries + 1; n++) {
          statuses.push(await ask(addressOf(n), here));
        }
        expect(statuses).toEqual([...Array(tryLimits.mail_address.freeTries).fill(200), 429]);
        expect(await ask(addressOf(99), '198.51.101.2')).toBe(200);
        clock.advance(lockLimits.firstMs);
        expect(await ask(addressOf(98), here)).toBe(200);
        clock.advance(lockLimits.forgetMs);
      });
    });

    test('an invitation is accepted in vain only so often from one network address', async () => {
      const invite = async () => {
        const wish = { email: null, role: 'user', topUp: amount('0') } as const;
        return (await inviteUser(api.app.admin, wish)).secret;
      };
      const accept = async (secret: string, email: string) => {
        const visitor = new Visitor(api.app.baseUrl, { 'x-forwarded-for': '198.51.102.1' });
        const wish = { secret, email, name: 'New', password: 'a password of their own' };
        return (await visitor.post('/invitation/accept', wish)).status;
      };
      // Who gets in takes nothing from others at the same address.
      expect(await accept(await invite(), `invited-${api.user.id}@example.com`)).toBe(200);
      const secret = await invite();
      const statuses: number[] = [];
      for (let n = 0; n <= tryLimits.registration.freeTries; n++) {
        statuses.push(await accept(secret, api.user.email));
      }
      expect(statuses).toEqual([...Array(tryLimits.registration.freeTries).fill(400), 429]);
    });

    test('a passkey is given in vain only so often from one network address', async () => {
      const passkey = new SoftwarePasskey();
      const site = { origin: publicUrl };
      const question = async (visitor: Visitor, path: string) =>
        passkeyQuestionSchema.parse((await visitor.post(path)).body);
      const owner = await signedIn(api.app, await addMember(api.app));
      const made = await question(owner, '/account/passkeys/question');
      const body = {
        secret: made.secret,
        name: 'Laptop',
        answer: passkey.register(made.options, site),
      };
      expect((await owner.post('/account/passkeys', body)).status).toBe(200);
      const give = async (which: SoftwarePasskey) => {
        const visitor = new Visitor(api.app.baseUrl, { 'x-forwarded-for': '198.51.103.1' });
        const { secret, options } = await question(visitor, '/sign-in/passkey/question');
        const answer = which.use(options, site);
        return (await visitor.post('/sign-in/passkey', { secret, answer })).status;
      };
      // Who gets in takes nothing from others at the same address.
      expect(await give(passkey)).toBe(200);
      const statuses: number[] = [];
      for (let n = 0; n <= tryLimits.address.freeTries; n++) {
        statuses.push(await give(new SoftwarePasskey()));
      }
      expect(statuses).toEqual([...Array(tryLimits.address.freeTries).fill(401), 429]);
    });

    test('a right password forgets the wrong ones that were given before it', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const prove = async (password: string) =>
        (await visitor.post('/prove', { kind: 'password', password })).status;
      for (const _round of [1, 2]) {
        for (let n = 1; n < tryLimits.proof.freeTries; n++) {
          expect(await prove('not theirs at all')).toBe(400);
        }
        expect(await prove(goodPassword)).toBe(200);
      }
    });
  },
  { clock, config },
);
