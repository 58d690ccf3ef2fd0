/** Requests whose bodies come so late that meanwhile whoever sends them lost what they were let in by. */
import { expect, test } from 'vitest';
import { findUser } from '../../../server/accounts/user-store.ts';
import { endSessions } from '../../../server/flows/sign-in/end-sessions.ts';
import { editUser } from '../../../server/flows/users/edit-user.ts';
import { setUserEnabled } from '../../../server/flows/users/enable-user.ts';
import { listAccessTokens } from '../../../server/identity/access-token-store.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { goodPassword } from '../../support/console/visitor.ts';
import { walletOf } from '../../support/money/spending.ts';

const signedOut = { status: 401, code: 'unauthorized', param: null };
let accounts = 0;
let requests = 0;
const accessToken = { path: '/account/access-tokens', body: { name: 'late', days: 1 } };
const picture = {
  path: '/images/generations',
  body: { model: 'gen-image-2.5-flare', prompt: smallPrompt },
};

describeApi((api) => {
  /** Lets a request in, and sends its body when `meanwhile` is done. */
  const post = async (
    { browser }: ConsoleUser,
    { path, body, meanwhile }: { path: string; body: object; meanwhile: () => Promise<unknown> },
  ) => {
    const text = JSON.stringify(body);
    const connection = await RawConnection.open(api.app.baseUrl);
    const lines = [
      `POST /api/console${path} HTTP/1.1`,
      'Host: a',
      `Cookie: ${browser.cookieHeader}`,
      'X-Tintype-Console: 1',
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      'Expect: 100-continue',
      `Idempotency-Key: late-${++requests}`,
    ];
    connection.send(`${lines.join('\r\n')}\r\n\r\n`);
    expect(await connection.answer()).toMatchObject({ status: 100 });
    await meanwhile();
    connection.send(text);
    const answer = await connection.answer();
    connection.close();
    return answer.status < 400 ? { status: answer.status } : outcomeOf(answer);
  };
  const newAdmin = () => ({
    email: `late-${++accounts}@example.com`,
    name: 'Late',
    role: 'admin',
    password: goodPassword,
  });

  test('an administrator who is disabled meanwhile makes no other one', async () => {
    const admin = await addConsoleUser(api.app, { role: 'admin' });
    const body = newAdmin();
    const meanwhile = () => setUserEnabled(api.app.admin, admin.id, false);
    const outcome = await post(admin, { path: '/admin/users', body, meanwhile });
    expect(outcome).toEqual(signedOut);
    expect(await findUser(api.app.database, body.email)).toBeNull();
  });

  test('nor does one whose role is taken', async () => {
    const admin = await addConsoleUser(api.app, { role: 'admin' });
    const body = newAdmin();
    const meanwhile = () => editUser(api.app.admin, admin.id, { role: 'user' });
    const outcome = await post(admin, { path: '/admin/users', body, meanwhile });
    expect(outcome).toEqual(signedOut);
    expect(await findUser(api.app.database, body.email)).toBeNull();
  });

  test('a browser that its user signs out meanwhile gets no access token', async () => {
    const user = await addConsoleUser(api.app);
    const meanwhile = () => endSessions(api.app.admin, { userId: user.id, keepId: null });
    const outcome = await post(user, { ...accessToken, meanwhile });
    expect(outcome).toEqual(signedOut);
    expect(await listAccessTokens(api.app.database, user.id)).toEqual([]);
  });

  test('a browser that its user signs out meanwhile makes no picture', async () => {
    const user = await addConsoleUser(api.app);
    const before = await walletOf(api.app.database, user.id);
    const meanwhile = () => endSessions(api.app.admin, { userId: user.id, keepId: null });
    expect(await post(user, { ...picture, meanwhile })).toEqual(signedOut);
    expect(await walletOf(api.app.database, user.id)).toBe(before);
  });

  test('a body that is only slow is taken', async () => {
    const user = await addConsoleUser(api.app);
    const meanwhile = () => Promise.resolve();
    expect(await post(user, { ...accessToken, meanwhile })).toEqual({ status: 200 });
    expect(await listAccessTokens(api.app.database, user.id)).toHaveLength(1);
  });
});
