/** How often the second step may be guessed at, by whoever has the password. */
import { generateSync } from 'otplib/functional';
import { expect, test } from 'vitest';
import { lockLimits, tryLimits } from '../../../../server/identity/try-limit.ts';
import { newAuthenticatorSchema, recoveryCodesSchema } from '../../../../shared/console/account.ts';
import { describeApi } from '../../../support/callers/api.ts';
import {
  addMember,
  goodPassword,
  signedIn,
  textField,
  Visitor,
} from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();

describeApi(
  (api) => {
    /** Somebody with an authenticator, and their recovery codes. */
    const equipped = async () => {
      const user = await addMember(api.app);
      const visitor = await signedIn(api.app, user);
      const { secret } = newAuthenticatorSchema.parse(
        (await visitor.post('/account/authenticator')).body,
      );
      const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });
      const { body } = await visitor.post('/account/authenticator/confirm', { code });
      return { email: user.email, codes: recoveryCodesSchema.parse(body).recovery_codes };
    };
    const from = (address: string) => new Visitor(api.app.baseUrl, { 'x-forwarded-for': address });
    const signIn = (address: string, email: string, password = goodPassword) =>
      from(address).post('/sign-in', { email, password });
    const give = async (address: string, email: string, code: string) => {
      const secret = textField(await signIn(address, email), 'secret');
      return (await from(address).post('/sign-in/second-factor', { secret, code })).status;
    };

    test('a right code forgets the wrong ones before it', async () => {
      const { email, codes } = await equipped();
      for (const code of codes.slice(0, 2)) {
        for (let i = 1; i < tryLimits.second_factor.freeTries; i++) {
          expect(await give(`198.51.100.${i}`, email, '000000')).toBe(400);
        }
        expect(await give('198.51.100.99', email, code)).toBe(200);
      }
    });

    test('a wrong code counts for the network address as well, and a right one takes back its own try alone', async () => {
      const { email, codes } = await equipped();
      const [first = '', second = ''] = codes;
      const address = '198.51.100.200';
      for (let i = 1; i < tryLimits.address.freeTries; i++) {
        const answer = await signIn(address, `nobody${i}-${api.user.id}@example.com`, 'not theirs');
        expect(answer.status).toBe(401);
      }
      expect(await give(address, email, '000000')).toBe(400);
      expect((await signIn(address, email)).status).toBe(429);
      expect(await give('198.51.100.201', email, first)).toBe(200);
      clock.advance(lockLimits.firstMs);
      expect(await give(address, email, second)).toBe(200);
      expect(await give(address, email, '000000')).toBe(400);
      const locked = await signIn(address, email);
      expect(locked.headers.get('retry-after')).toBe(String((2 * lockLimits.firstMs) / 1000));
    });
  },
  // Tests say where they come from.
  { clock, config: { trustedProxies: 1 } },
);
