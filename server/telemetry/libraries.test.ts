/** Some libraries cost time and memory: only who needs them pays for them. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { addSpender } from '../../test/support/money/spending.ts';
import { askService, equip, startService } from '../../test/support/processes/service-process.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { migrate } from '../db/migrate.ts';
import { embeddedFile } from '../db/open.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';

const preload = fileURLToPath(
  new URL('../../test/support/processes/note-loaded.ts', import.meta.url),
);

const tracing = ['exporter-trace-otlp-http', 'resources', 'sdk-trace-node'];
const collector = 'http://127.0.0.1:9';

test('a service that nobody watches, and whose upstreams are asked in the ordinary way, loads none of them', async () => {
  expect(await loadedWith({})).toEqual([]);
});

test('metrics load nothing that makes traces', async () => {
  // The library of metrics asks for the interface of traces, which is small.
  expect(await loadedWith({ TINTYPE_METRICS_PORT: '0' })).toEqual([
    '@opentelemetry/api',
    'prom-client',
  ]);
});

test('traces load what makes them, and no metrics', async () => {
  const loaded = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector });
  expect(loaded).toEqual(expect.arrayContaining(tracing.map((name) => `@opentelemetry/${name}`)));
  expect(loaded).not.toContain('prom-client');
});

/** Those libraries that a service has loaded once it made a picture. */
async function loadedWith(options: Record<string, string>): Promise<readonly string[]> {
  const dataDir = makeScratchFolder('loaded');
  const database = openSqlite(embeddedFile(dataDir));
  onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await migrate(database);
  await equip(database);
  const file = join(dataDir, 'loaded.txt');
  const service = await startService(
    { url: null, dataDir },
    {
      ...options,
      NODE_OPTIONS: `--import=${preload}`,
      TINTYPE_TEST_LOADED: file,
    },
  );
  const answer = await askService(service, await addSpender(database, '1'));
  expect(answer.status).toBe(200);
  const loaded = readFileSync(file, 'utf8');
  expect(loaded).toContain('/node_modules/fastify/');
  const names = loaded.matchAll(/node_modules\/(prom-client|undici|@opentelemetry\/[\w-]+)\//g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}
