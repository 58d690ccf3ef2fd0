/** An installation as administrators meet it, and a call of every route by which they change it. */
import { vi } from 'vitest';
import { addUpstream } from '../../../server/flows/upstreams/add-upstream.ts';
import { must } from '../../../server/lib/assert.ts';
import { readHoldHistory } from '../../../server/wallets/hold-history-store.ts';
import type { TestUser } from '../app.ts';
import type { Answer, Api } from '../callers/api.ts';
import { testAccess } from './test-admin.ts';
import { addMember, signedIn, type Visitor } from './visitor.ts';

export interface AdminWorld {
  api: Api;
  admin: TestUser;
  /** The admin's browser. */
  visitor: Visitor;
  /** Somebody else, with money, a key and a session. */
  user: TestUser;
}

export async function enterAsAdmin(api: Api): Promise<AdminWorld> {
  const admin = await addMember(api.app, { role: 'admin' });
  const user = await addMember(api.app, { money: '5' });
  await signedIn(api.app, user);
  return { api, admin, visitor: await signedIn(api.app, admin), user };
}

let upstreams = 0;

/** An upstream with a key, which nobody calls. */
export async function addKeyedUpstream({ api }: Pick<AdminWorld, 'api'>): Promise<string> {
  const name = `studio${++upstreams}`;
  await addUpstream(api.app.admin, testAccess(), {
    name,
    kind: 'openai-images',
    baseUrl: 'http://127.0.0.1:9/v1',
    credential: 'a-credential-of-nobody',
    settings: {},
    priority: 5,
    weight: 1,
  });
  return name;
}

/** The trace ID of a picture that was paid for and handed over. */
export async function makePaidPicture({ api, user }: AdminWorld): Promise<string> {
  const { app } = api;
  const response = await app.post('/v1/images/generations', user, {
    model: 'gen-image-2.5-flare',
    prompt: 'a boat',
    quality: 'low',
  });
  await response.arrayBuffer();
  const traceId = must(response.headers.get('x-request-id'), 'a trace ID');
  await delivered(api, traceId);
  return traceId;
}

/** The note that an answer was handed over is written a little after it. */
async function delivered({ app }: Api, traceId: string): Promise<void> {
  await vi.waitUntil(async () => {
    const hold = await readHoldHistory(app.database, traceId);
    return hold !== null && hold.deliveredAt !== null;
  });
}

export interface Call {
  /** Behind `/api/console`. */
  path: string;
  body?: object;
}

/** How a route that changes something is called, and what it answers to what it cannot do. */
export interface WriteExample {
  /** A call that changes something. */
  right: (world: AdminWorld) => Promise<Call> | Call;
  /** How many changes that is, each with an audit entry of its own; one unless it says otherwise. */
  changes?: number;
  /** A call that it refuses, and the field at fault. */
  wrong: (world: AdminWorld) => Promise<Call & { param: string | null }>;
  /** The same for something that is not there; null where nothing is named. */
  missing: ((world: AdminWorld) => Call) | null;
}

/** What must succeed for an example to be one. */
export async function sent(
  { visitor }: Pick<AdminWorld, 'visitor'>,
  method: string,
  { path, body }: Call,
): Promise<Answer> {
  const answer = await visitor.ask(method, path, body ? { body } : {});
  if (answer.status === 200) return answer;
  throw new Error(`${method} ${path} answers ${answer.status}: ${answer.text}`);
}
