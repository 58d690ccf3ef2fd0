/** Somebody who is signed in to the console, without the trouble of signing in. */
import { openSession } from '../../../server/flows/sign-in/open-session.ts';
import type { TestApp, TestUser, TestUserOptions } from '../app.ts';
import { Visitor } from './visitor.ts';

export interface ConsoleUser extends TestUser {
  browser: Visitor;
}

/** A new user, in a browser of their own. */
export async function addConsoleUser(
  app: TestApp,
  options: TestUserOptions = {},
): Promise<ConsoleUser> {
  const user = await app.addUser(options);
  return { ...user, browser: await browserOf(app, user.id) };
}

/** A browser in which this user has just signed in. */
export async function browserOf(app: TestApp, userId: string): Promise<Visitor> {
  const { secret } = await app.database.transaction((trx) =>
    openSession(trx, {
      userId,
      method: 'password',
      visitor: { userAgent: null, address: null },
      nowMs: app.admin.clock.now(),
    }),
  );
  const browser = new Visitor(app.baseUrl);
  browser.cookies.set('tintype_session', secret);
  return browser;
}
