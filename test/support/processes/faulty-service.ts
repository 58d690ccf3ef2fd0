import { onTestFinished } from 'vitest';
import type { Config } from '../../../server/config.ts';
import type { Database } from '../../../server/db/db.ts';
import { must } from '../../../server/lib/assert.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { startTestApp, type TestApp, type TestUser } from '../app.ts';
import { type Answer, answerOf } from '../callers/api.ts';
import { generation } from '../callers/ways-to-ask.ts';
import type { Engine } from '../databases/databases.ts';
import { FaultyProxy } from '../databases/faulty-proxy.ts';
import { hurriedClock } from '../hurried-clock.ts';
import { walletOf } from '../money/spending.ts';

/** A service whose way to its database is a proxy, and a way for the test itself beside it. */
export interface FaultyService {
  app: TestApp;
  stop: () => Promise<void>;
  proxy: FaultyProxy;
  database: Database;
  user: TestUser;
  ask: (fields?: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;
  wallet: () => Promise<string>;
  /** Callers that the service has seen leave in the middle. */
  countLeft: () => number;
}

export async function startFaultyService(
  engine: Engine,
  { clock = hurriedClock(50), config = {} }: { clock?: Clock; config?: Partial<Config> } = {},
): Promise<FaultyService> {
  const database = await engine.open();
  const url = must(engine.locationOf(database).url, 'an address');
  const proxy = await FaultyProxy.start(url);
  let left = 0;
  const onLogLine = (line: string) => {
    const { code } = JSON.parse(line) as { code?: string };
    if (code === 'client_gone') left++;
  };
  const location = { url: proxy.urlOf(url), dataDir: '' };
  const app = await startTestApp(location, { clock, config, onLogLine });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= app.stop());
  onTestFinished(async () => {
    await stop();
    await proxy.stop();
  });
  const user = await app.addUser();
  return {
    app,
    stop,
    proxy,
    database,
    user,
    wallet: () => walletOf(database, user.id),
    countLeft: () => left,
    ask: async (fields = {}, headers = {}) => {
      const { headers: own, body } = generation.write(fields);
      const authorization = `Bearer ${user.apiKey}`;
      const sent = { ...own, ...headers, authorization };
      const url = `${app.baseUrl}${generation.path}`;
      return answerOf(await fetch(url, { method: 'POST', headers: sent, body }));
    },
  };
}
