/** One service for the tests of a file, on SQLite alone: what arrives is read before any database is. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { must } from '../../server/lib/assert.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../support/app.ts';
import { Api } from '../support/callers/api.ts';
import { makeScratchFolder } from '../support/scratch.ts';

export function describeOnSqlite(body: (api: Api) => void, options: TestAppOptions = {}): void {
  const dataDir = makeScratchFolder('hostile');
  let service: { app: TestApp; user: TestUser } | null = null;
  beforeAll(async () => {
    const app = await startTestApp({ url: null, dataDir }, options);
    service = { app, user: await app.addUser({ money: '1000' }) };
  });
  afterAll(async () => {
    await service?.app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  body(new Api(() => must(service, 'a service that has started')));
}
