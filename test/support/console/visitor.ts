/** Somebody with a browser, as the console's server meets them: cookies, and the header of its pages. */

import { setPassword } from '../../../server/flows/sign-in/change-password.ts';
import { PasswordHasher } from '../../../server/identity/password-hasher.ts';
import { must } from '../../../server/lib/assert.ts';
import type { TestApp, TestUser, TestUserOptions } from '../app.ts';
import { type Answer, answerOf } from '../callers/api.ts';

export const goodPassword = 'correct horse battery';

export interface AskOptions {
  body?: object;
  /** Null leaves a header out that would be sent. */
  headers?: Readonly<Record<string, string | null>>;
}

/** What a page of ours sends by itself. */
export const pageHeaders = { 'x-tintype-console': '1', 'sec-fetch-site': 'same-origin' };

export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The `set-cookie` headers of the last answer. */
  setCookies: readonly string[] = [];
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  get(path: string, options: AskOptions = {}): Promise<Answer> {
    return this.ask('GET', path, options);
  }

  post(path: string, body?: object, options: AskOptions = {}): Promise<Answer> {
    return this.ask('POST', path, { ...options, ...(body && { body }) });
  }

  /** @param path behind `/api/console` */
  async ask(
    method: string,
    path: string,
    { body, headers = {} }: AskOptions = {},
  ): Promise<Answer> {
    const wanted = {
      ...pageHeaders,
      ...this.#headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
      ...headers,
    };
    const sent = Object.entries(wanted).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    const response = await fetch(`${this.#baseUrl}/api/console${path}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
    this.#keepCookies(response.headers.getSetCookie());
    return answerOf(response);
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Whether the server takes them for somebody. */
  async isSignedIn(): Promise<boolean> {
    const { body } = await this.get('/bootstrap');
    return (body as { user: unknown }).user !== null;
  }

  #keepCookies(setCookies: readonly string[]): void {
    this.setCookies = setCookies;
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** A new user with a password. */
export async function addMember(
  app: TestApp,
  options: TestUserOptions & { password?: string } = {},
): Promise<TestUser> {
  const { password = goodPassword, ...rest } = options;
  const user = await app.addUser({ money: '0', ...rest });
  await setPassword(app.admin, new PasswordHasher(), { user: user.id, password });
  return user;
}

/** Somebody who has just signed in with their password. */
export async function signedIn(
  app: TestApp,
  user: Pick<TestUser, 'email'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Visitor> {
  const visitor = new Visitor(app.baseUrl, headers);
  const answer = await visitor.post('/sign-in', { email: user.email, password: goodPassword });
  if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`);
  must(visitor.cookies.size > 0 ? true : null, 'a session cookie');
  return visitor;
}

/** One field of an answer's JSON object. */
export function field(answer: Answer, name: string): unknown {
  // Tests look at what they ask for.
  return (answer.body as Record<string, unknown> | null)?.[name];
}

export function textField(answer: Answer, name: string): string {
  const value = field(answer, name);
  if (typeof value !== 'string') throw new Error(`no text ${name} in ${answer.text}`);
  return value;
}
