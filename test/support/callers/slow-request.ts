import { expect } from 'vitest';
import type { TestUser } from '../app.ts';
import type { Api } from './api.ts';
import { generation } from './ways-to-ask.ts';

export interface SlowRequest {
  /** Closes the connection; resolves when the request has given back what it held. */
  leave(): Promise<void>;
}

/** For a slow and busy machine. */
const patience = { timeout: 30_000, interval: 10 };

/** A generation that has its hold and takes longer than any test. Needs a service without grace. */
export async function startSlowRequest(api: Api, user: TestUser): Promise<SlowRequest> {
  const connection = new AbortController();
  const before = await runningOf(api, user);
  const answer = api
    .ask(generation, { prompt: 'a fox [[delay=300s]]' }, { user, signal: connection.signal })
    .then(
      ({ status }) => status,
      () => 'left' as const,
    );
  await expect.poll(() => runningOf(api, user), patience).toBe(before + 1);
  return {
    leave: async () => {
      connection.abort();
      expect(await answer).toBe('left');
      await expect.poll(() => runningOf(api, user), patience).toBe(before);
    },
  };
}

async function runningOf({ app }: Api, { id }: TestUser): Promise<number> {
  const wallet = await app.database.kysely
    .selectFrom('wallets')
    .select('in_flight')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return wallet.in_flight;
}
