/** The only way to the console's JSON API. */
import { currentLocale } from '../i18n/locale.ts';
import { ApiError, readApiError, unreachable } from './api-error.ts';
import { pageUser } from './page-user.ts';
import { type GateQuestion, waitAtGate } from './session-gate.ts';

const prefix = '/api/console';

/** Marks requests of our own pages, which other sites cannot, and says whose page it is, and in which language. */
export function consoleHeaders(): Record<string, string> {
  const user = pageUser();
  return {
    'x-tintype-console': '1',
    'accept-language': currentLocale(),
    ...(user === null ? {} : { 'x-tintype-user': user }),
  };
}

type QueryValue = string | number | boolean | null | undefined | readonly string[];
export type Query = Readonly<Record<string, QueryValue>>;

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind `/api/console`. */
  path: string;
  query?: Query | undefined;
  body?: object | undefined;
  signal?: AbortSignal | undefined;
  /** Media type of the answer. */
  accept?: string;
}

/** The caller names the answer's type, which comes from `shared/console`. */
export const api = {
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) =>
    callApi<Answer>({ method: 'GET', path, query, signal }),
  post: <Answer>(path: string, body: object = {}, signal?: AbortSignal) =>
    callApi<Answer>({ method: 'POST', path, body, signal }),
  put: <Answer>(path: string, body: object) => callApi<Answer>({ method: 'PUT', path, body }),
  patch: <Answer>(path: string, body: object) => callApi<Answer>({ method: 'PATCH', path, body }),
  delete: <Answer>(path: string, body?: object) =>
    callApi<Answer>({ method: 'DELETE', path, body }),
};

/** The address of a file that the browser fetches by itself, such as an export. */
export function apiUrl(path: string, query: Query = {}): string {
  const text = queryText(query);
  return `${prefix}${path}${text === '' ? '' : `?${text}`}`;
}

async function callApi<Answer>(call: Call): Promise<Answer> {
  const response = await send(call);
  // The server sends what its schema describes and nothing else: `serve-console.ts` sees to it.
  if (response.ok) return (await readJson(response)) as Answer;
  const error = await readApiError(response);
  const question = questionOf(error, call);
  if (question !== null && (await waitAtGate(question))) return callApi<Answer>(call);
  throw error;
}

/** What the user could be asked, so that the same request then succeeds. */
function questionOf({ code }: ApiError, { path }: Call): GateQuestion | null {
  // Signing in says by the same code that the password is wrong.
  if (code === 'unauthorized') return /^\/(sign-in|prove)/.test(path) ? null : 'sign_in';
  return code === 'proof_needed' ? 'proof' : null;
}

/** Whatever the service answers; an error only where it did not. */
export async function send(call: Call): Promise<Response> {
  const { method, path, query, body, signal, accept = 'application/json' } = call;
  try {
    return await fetch(apiUrl(path, query), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: {
        accept,
        ...consoleHeaders(),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw unreachable(error);
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new ApiError({
      code: 'unreadable',
      message: 'The answer of the service cannot be read.',
      traceId: response.headers.get('x-request-id'),
      cause: error,
    });
  }
}

function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    const values = typeof value === 'object' ? value : [value];
    for (const each of values) search.append(name, String(each));
  }
  return search.toString();
}
