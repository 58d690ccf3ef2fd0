/**
 * The public API as its tests use it: one service per engine and file, shared by the tests of the
 * file. A test that counts money or running requests makes a user of its own.
 */
import { afterAll, beforeAll } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { errorResponseSchema } from '../../../shared/api/models.ts';
import { type ErrorBody, errorCodes } from '../../../shared/error-codes.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../app.ts';
import { forEachEngine } from '../databases/databases.ts';
import { exactly } from '../exactly.ts';
import type { Body, Fields, Way } from './ways-to-ask.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; null when it is none. */
  body: unknown;
}

export interface SendOptions {
  /** Null sends no key. */
  user?: Pick<TestUser, 'apiKey'> | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export class Api {
  readonly #service: () => { app: TestApp; user: TestUser };

  constructor(service: () => { app: TestApp; user: TestUser }) {
    this.#service = service;
  }

  get app(): TestApp {
    return this.#service().app;
  }

  /** Somebody with enough money for every test. */
  get user(): TestUser {
    return this.#service().user;
  }

  /** Asks for pictures in one of the ways there are; the fields of `ways-to-ask.ts` are added. */
  ask(way: Way, fields: Fields = {}, options: SendOptions = {}): Promise<Answer> {
    const { headers, body } = way.write(fields);
    const sent = { ...options, headers: { ...headers, ...options.headers } };
    return this.send('POST', way.path, { ...sent, body });
  }

  /** A request with the key of `options.user`, by default of {@link user}. */
  async send(
    method: string,
    path: string,
    { user = this.user, headers = {}, ...rest }: SendOptions & { body?: Body } = {},
  ): Promise<Answer> {
    return answerOf(
      await fetch(`${this.app.baseUrl}${path}`, {
        method,
        headers: { ...(user ? { authorization: `Bearer ${user.apiKey}` } : {}), ...headers },
        ...rest,
      }),
    );
  }

  get(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', path, options);
  }
}

/** Runs the tests of `body` against a real service on each engine. */
export function describeApi(body: (api: Api) => void, options: TestAppOptions = {}): void {
  forEachEngine((engine) => {
    let service: { app: TestApp; user: TestUser } | null = null;
    beforeAll(async () => {
      const database = await engine.open();
      const app = await startTestApp(engine.locationOf(database), options);
      service = { app, user: await app.addUser({ money: '1000' }) };
    });
    afterAll(() => service?.app.stop());
    body(new Api(() => must(service, 'a service that has started')));
  });
}

export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, body: parseJson(text) };
}

/** The error that an answer carries, which has the documented form and names its trace ID twice. */
export function errorOf({ status, headers, text, body }: Answer): ErrorBody['error'] {
  if (status < 400) throw new Error(`status ${status} is no error: ${text.slice(0, 200)}`);
  const { error } = exactly(errorResponseSchema, body);
  const type = headers.get('content-type');
  if (type !== 'application/json; charset=utf-8') throw new Error(`an error in ${type}`);
  if (error.trace_id !== headers.get('x-request-id')) throw new Error('two trace IDs');
  if (!errorCodes.includes(error.code)) throw new Error(`an unknown code ${error.code}`);
  return error;
}

/** Status, code and the field at fault: what a client acts upon. */
export function outcomeOf(answer: Answer): { status: number; code: string; param: string | null } {
  const { code, param } = errorOf(answer);
  return { status: answer.status, code, param };
}

/** The outcome of a request with a field that is wrong. */
export function wrong(param: string | null) {
  return { status: 400, code: 'invalid_request_error', param };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
