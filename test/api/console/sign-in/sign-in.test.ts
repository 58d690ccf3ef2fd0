import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { setUserEnabled } from '../../../../server/flows/users/enable-user.ts';
import { findPassword, writePassword } from '../../../../server/identity/password-store.ts';
import { lockLimits, tryLimits } from '../../../../server/identity/try-limit.ts';
import { describeApi, errorOf, outcomeOf } from '../../../support/callers/api.ts';
import { addMember, goodPassword, signedIn, Visitor } from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const lines: string[] = [];
const wrong = 'wrong horse battery';

describeApi(
  (api) => {
    const visit = (address?: string) =>
      new Visitor(api.app.baseUrl, address ? { 'x-forwarded-for': address } : {});

    describe('signing in by password', () => {
      test('opens a session that counts from then on', async () => {
        const { email } = await addMember(api.app);
        const visitor = visit();
        expect(await visitor.isSignedIn()).toBe(false);
        const answer = await visitor.post('/sign-in', {
          email: `  ${email.toUpperCase()} `,
          password: goodPassword,
        });
        expect(answer).toMatchObject({ status: 200, body: { kind: 'signed_in' } });
        expect((await visitor.get('/bootstrap')).body).toMatchObject({ user: { email } });
      });

      test('answers a wrong password, an unknown account, one without password and a disabled one alike', async () => {
        const member = await addMember(api.app);
        const bare = await api.app.addUser();
        const disabled = await addMember(api.app);
        await setUserEnabled(api.app.admin, disabled.id, false);
        const attempts = [
          { email: member.email, password: wrong },
          { email: 'nobody@example.com', password: goodPassword },
          { email: member.id, password: goodPassword },
          { email: bare.email, password: goodPassword },
          { email: disabled.email, password: goodPassword },
        ];
        for (const [index, attempt] of attempts.entries()) {
          const visitor = visit(`203.0.113.${index}`);
          const { code, message, param } = errorOf(await visitor.post('/sign-in', attempt));
          expect({ code, message, param }).toEqual({
            code: 'unauthorized',
            message: 'The e-mail address or the password is wrong.',
            param: 'password',
          });
          expect(visitor.cookies.size).toBe(0);
        }
      });

      test('always gives a new secret, whatever the browser brought', async () => {
        const { email } = await addMember(api.app);
        const visitor = visit();
        const planted = 'p'.repeat(43);
        visitor.cookies.set('tintype_session', planted);
        await visitor.post('/sign-in', { email, password: goodPassword });
        const first = visitor.cookies.get('tintype_session');
        expect(first).not.toBe(planted);
        const old = visit();
        old.cookies.set('tintype_session', first ?? '');
        expect(await old.isSignedIn()).toBe(true);
        await visitor.post('/sign-in', { email, password: goodPassword });
        expect(visitor.cookies.get('tintype_session')).not.toBe(first);
        // The browser's earlier session ends with the new one.
        expect(await old.isSignedIn()).toBe(false);
      });

      test('hashes a password anew that was hashed at another cost', async () => {
        const { id, email } = await addMember(api.app);
        const weak = await hash(goodPassword, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
        await api.app.database.transaction((trx) =>
          writePassword(trx, { userId: id, hash: weak, changedAt: clock.now() }),
        );
        await signedIn(api.app, { email });
        const stored = await findPassword(api.app.database, id);
        expect(stored?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
        await signedIn(api.app, { email });
      });

      test('ends with signing out', async () => {
        const visitor = await signedIn(api.app, await addMember(api.app));
        const stolen = visit();
        for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value);
        expect(await visitor.post('/sign-out')).toMatchObject({ status: 200 });
        expect(visitor.cookies.size).toBe(0);
        expect(await stolen.isSignedIn()).toBe(false);
      });
    });

    describe('the throttle', () => {
      test('locks an account after the free tries, from wherever they came, and lets in later', async () => {
        const { email } = await addMember(api.app);
        for (let i = 0; i < tryLimits.account.freeTries; i++) {
          const answer = await visit(`198.51.100.${i}`).post('/sign-in', {
            email,
            password: wrong,
          });
          expect(answer.status).toBe(401);
        }
        const other = visit('198.51.100.99');
        const locked = await other.post('/sign-in', { email, password: goodPassword });
        expect(outcomeOf(locked)).toMatchObject({ status: 429, code: 'rate_limit' });
        expect(locked.headers.get('retry-after')).toBe(String(lockLimits.firstMs / 1000));
        clock.advance(lockLimits.firstMs - 1);
        expect((await other.post('/sign-in', { email, password: goodPassword })).status).toBe(429);
        clock.advance(1);
        expect((await other.post('/sign-in', { email, password: goodPassword })).status).toBe(200);
      });

      test('counts an account however its address is written', async () => {
        const { email } = await addMember(api.app);
        const spellings = [
          email,
          email.toUpperCase(),
          ` ${email}`,
          `${email}\t`,
          `U${email.slice(1)}`,
        ];
        const statuses: number[] = [];
        for (const [index, spelling] of [...spellings, email].entries()) {
          const visitor = visit(`198.51.111.${index}`);
          statuses.push(
            (await visitor.post('/sign-in', { email: spelling, password: wrong })).status,
          );
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test('treats an account that is not there the same', async () => {
        const email = `nobody-${api.user.id}@example.com`;
        const statuses: number[] = [];
        for (let i = 0; i <= tryLimits.account.freeTries; i++) {
          const visitor = visit(`198.51.101.${i}`);
          statuses.push((await visitor.post('/sign-in', { email, password: wrong })).status);
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test('doubles the pause with each further failure, up to the longest', async () => {
        const { email } = await addMember(api.app);
        const pauses: number[] = [];
        for (let i = 0; pauses.length < 8; i++) {
          const answer = await visit(`198.51.102.${i}`).post('/sign-in', {
            email,
            password: wrong,
          });
          if (answer.status !== 429) continue;
          const seconds = Number(answer.headers.get('retry-after'));
          pauses.push(seconds);
          clock.advance(seconds * 1000);
        }
        expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
      });

      test('forgets an account’s failures when somebody gets in', async () => {
        const { email } = await addMember(api.app);
        for (let round = 0; round < 3; round++) {
          for (let i = 0; i < tryLimits.account.freeTries - 1; i++) {
            await visit(`198.51.103.${i}`).post('/sign-in', { email, password: wrong });
          }
          const answer = await visit('198.51.103.9').post('/sign-in', {
            email,
            password: goodPassword,
          });
          expect(answer.status).toBe(200);
        }
      });

      test('forgets everything after a day without failures', async () => {
        const { email } = await addMember(api.app);
        for (let i = 0; i < tryLimits.account.freeTries; i++) {
          await visit(`198.51.104.${i}`).post('/sign-in', { email, password: wrong });
        }
        clock.advance(lockLimits.forgetMs);
        const statuses: number[] = [];
        for (let i = 0; i <= tryLimits.account.freeTries; i++) {
          const visitor = visit(`198.51.105.${i}`);
          statuses.push((await visitor.post('/sign-in', { email, password: wrong })).status);
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test('locks a network address that tries many accounts, and no other', async () => {
        const { email } = await addMember(api.app);
        const statuses: number[] = [];
        for (let i = 0; i <= tryLimits.address.freeTries; i++) {
          const attempt = { email: `guess${i}-${api.user.id}@example.com`, password: wrong };
          statuses.push((await visit('2001:db8:5::1').post('/sign-in', attempt)).status);
        }
        expect(statuses.filter((status) => status === 401)).toHaveLength(
          tryLimits.address.freeTries,
        );
        expect(statuses.at(-1)).toBe(429);
        const right = { email, password: goodPassword };
        // Of the same network, which one visitor has whole.
        expect((await visit('2001:db8:5::ffff').post('/sign-in', right)).status).toBe(429);
        expect((await visit('2001:db8:6::1').post('/sign-in', right)).status).toBe(200);
      });

      test('makes nobody of a locked network wait because another one got in', async () => {
        const address = '198.51.108.1';
        const { email } = await addMember(api.app);
        for (let i = 0; i < tryLimits.address.freeTries; i++) {
          const attempt = { email: `typo${i}-${api.user.id}@example.com`, password: wrong };
          await visit(address).post('/sign-in', attempt);
        }
        const right = { email, password: goodPassword };
        expect((await visit(address).post('/sign-in', right)).status).toBe(429);
        clock.advance(lockLimits.firstMs);
        expect((await visit(address).post('/sign-in', right)).status).toBe(200);
        expect((await visit(address).post('/sign-in', right)).status).toBe(200);
        // Failures go on counting.
        const failed = { email: `typo-${api.user.id}@example.com`, password: wrong };
        expect((await visit(address).post('/sign-in', failed)).status).toBe(401);
        const locked = await visit(address).post('/sign-in', right);
        expect(locked.headers.get('retry-after')).toBe(String((2 * lockLimits.firstMs) / 1000));
      });

      test('forgets everything a day after the first failure, however many came later', async () => {
        const { email } = await addMember(api.app);
        const attempt = { email, password: wrong };
        for (let i = 0; i < tryLimits.account.freeTries; i++) {
          await visit(`198.51.109.${i}`).post('/sign-in', attempt);
        }
        clock.advance(lockLimits.forgetMs / 2);
        expect((await visit('198.51.109.100').post('/sign-in', attempt)).status).toBe(401);
        clock.advance(lockLimits.forgetMs / 2);
        const statuses: number[] = [];
        for (let i = 0; i <= tryLimits.account.freeTries; i++) {
          statuses.push((await visit(`198.51.110.${i}`).post('/sign-in', attempt)).status);
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      });

      test('finds no gap when all tries come at once', async () => {
        const { email } = await addMember(api.app);
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) =>
            visit(`198.51.106.${i}`).post('/sign-in', { email, password: wrong }),
          ),
        );
        const tried = answers.filter(({ status }) => status === 401);
        expect(tried).toHaveLength(tryLimits.account.freeTries);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
      });

      test('stores neither an e-mail nor a network address', async () => {
        await visit('198.51.107.7').post('/sign-in', {
          email: 'secret-name@example.com',
          password: wrong,
        });
        const rows = await api.app.database.kysely
          .selectFrom('sign_in_failures')
          .selectAll()
          .execute();
        expect(rows.length).toBeGreaterThan(0);
        expect(JSON.stringify(rows)).not.toMatch(/secret-name|198\.51\.107/);
      });
    });

    test('nothing of a password or a session is logged or audited', async () => {
      const { email } = await addMember(api.app);
      const visitor = await signedIn(api.app, { email });
      await visitor.post('/sign-in', { email, password: `${goodPassword} typed wrong` });
      const secrets = [goodPassword, ...visitor.cookies.values()];
      const entries = await api.app.database.kysely
        .selectFrom('audit_entries')
        .selectAll()
        .execute();
      const kept = lines.join('\n') + JSON.stringify(entries);
      expect(kept).toContain('/api/console/sign-in');
      for (const secret of secrets) expect(kept).not.toContain(secret);
    });
  },
  {
    clock,
    onLogLine: (line) => lines.push(line),
    // Tests say where they come from.
    config: { trustedProxies: 1 },
  },
);
