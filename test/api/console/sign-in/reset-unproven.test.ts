/** Accounts of which nobody showed that the address is theirs, when somebody who reads its mail comes. */
import { expect, test } from 'vitest';
import { isEmailProven, setEmailProven } from '../../../../server/accounts/user-store.ts';
import type { Config } from '../../../../server/config.ts';
import { issuePasswordReset } from '../../../../server/flows/sign-in/reset-password.ts';
import { accountSchema } from '../../../../shared/console/account.ts';
import { passkeyQuestionSchema } from '../../../../shared/console/sign-in.ts';
import { type Answer, describeApi } from '../../../support/callers/api.ts';
import { SoftwarePasskey } from '../../../support/console/software-passkey.ts';
import { addMember, signedIn, Visitor } from '../../../support/console/visitor.ts';
import { exactly } from '../../../support/exactly.ts';
import { patience } from '../../../support/patience.ts';
import { receiveMails } from '../../../support/services/mail-server.ts';

const publicUrl = 'https://images.example.com';
const site = { origin: publicUrl };
const config: Partial<Config> = { publicUrl, mailFrom: 'images@example.com' };
const password = 'another good password';
const mails = receiveMails(config);

describeApi(
  (api) => {
    const visit = () => new Visitor(api.app.baseUrl);
    const questionOf = ({ body }: Answer) => passkeyQuestionSchema.parse(body);
    /** Somebody with a passkey, whose address is known to be theirs or not. */
    const equipped = async ({ isProven }: { isProven: boolean }) => {
      const user = await addMember(api.app);
      await api.app.database.transaction((trx) => setEmailProven(trx, user.id, isProven));
      const visitor = await signedIn(api.app, user);
      const passkey = new SoftwarePasskey();
      const { secret, options } = questionOf(await visitor.post('/account/passkeys/question'));
      const answer = passkey.register(options, site);
      await visitor.post('/account/passkeys', { secret, name: 'Laptop', answer });
      return { id: user.id, email: user.email, passkey };
    };
    const resetByMail = async (email: string) => {
      const links = () =>
        mails()
          .filter(({ to }) => to.includes(email))
          .map(({ source }) => /\/reset-password#([\w-]{43})/.exec(source.replace(/=\r\n/g, '')))
          .filter((found) => found !== null);
      await visit().post('/password-reset/mail', { email });
      await expect.poll(links, patience).toHaveLength(1);
      const answer = await visit().post('/password-reset', { secret: links()[0]?.[1], password });
      expect(answer.status).toBe(200);
    };
    const signInBy = async (passkey: SoftwarePasskey) => {
      const visitor = visit();
      const { secret, options } = questionOf(await visitor.post('/sign-in/passkey/question'));
      const answer = passkey.use(options, site);
      return (await visitor.post('/sign-in/passkey', { secret, answer })).status;
    };

    test('whoever opened the account gets in by no passkey any more', async () => {
      const { email, passkey } = await equipped({ isProven: false });
      expect(await signInBy(passkey)).toBe(200);
      await resetByMail(email);
      expect(await signInBy(passkey)).toBe(401);
      const owner = visit();
      expect((await owner.post('/sign-in', { email, password })).status).toBe(200);
      expect(exactly(accountSchema, (await owner.get('/account')).body).passkeys).toEqual([]);
    });

    test('a link that an administrator gave shows nothing of the address, and leaves them', async () => {
      const { id, email, passkey } = await equipped({ isProven: false });
      const secret = await issuePasswordReset(api.app.admin, id);
      expect((await visit().post('/password-reset', { secret, password })).status).toBe(200);
      expect(await isEmailProven(api.app.database, id)).toBe(false);
      expect(await signInBy(passkey)).toBe(200);
      await resetByMail(email);
      expect(await isEmailProven(api.app.database, id)).toBe(true);
    });

    test('an address that was seen to be theirs before leaves them their passkeys', async () => {
      const { email, passkey } = await equipped({ isProven: true });
      await resetByMail(email);
      expect(await signInBy(passkey)).toBe(200);
    });
  },
  { config },
);
