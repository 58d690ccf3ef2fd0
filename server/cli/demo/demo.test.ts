/** `tintype demo` as a newcomer starts it: a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { goBackTo } from '../../../test/support/databases/earlier-schema.ts';
import { commandLine } from '../../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { listUpstreamChecks } from '../../catalog/upstream-check-store.ts';
import type { Database } from '../../db/db.ts';
import { migrationStatus } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';

const program = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));
const timeoutMs = 120_000;

it('says that the next start gives another API key, which it does', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = makeDataDir();
  const first = await start(dataDir);
  expect(first.exit).toEqual([0, null]);
  expect(first.said).toContain('The next start gives another password and API key.');
  expect(first.err).not.toContain('was started before');
  const next = await start(dataDir);
  expect(next.exit).toEqual([0, null]);
  expect(next.err).toContain('the API key and the passwords of that start end now');
  const keys = [first, next].map(({ said }) => keyIn(said));
  expect(keys).toEqual([expect.stringMatching(/^sk-/), expect.stringMatching(/^sk-/)]);
  expect(keys[1]).not.toBe(keys[0]);
});

it('leaves a demo that runs with the same folder its key', { timeout: timeoutMs }, async () => {
  const dataDir = makeDataDir();
  const { exit } = await start(dataDir, async (said) => {
    const second = await start(dataDir);
    expect(second.exit).toEqual([1, null]);
    expect(second.said).toBe('');
    expect(second.err).toContain(`error: a demo already runs in ${dataDir} (process `);
    expect(second.err).toMatch(/\d\): stop it first, or name another folder with --data-dir\n$/);
    const models = await fetch(`${/Base URL +(\S+)/.exec(said)?.[1]}/models`, {
      headers: { authorization: `Bearer ${keyIn(said)}` },
    });
    expect(models.status).toBe(200);
  });
  expect(exit).toEqual([0, null]);
});

it('makes no demo of an installation that was begun, though it has no users yet', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = makeDataDir();
  const begun = commandLine({ url: null, dataDir });
  await begun.out('migrate');
  await begun.out('models', 'price', 'gen-image-2', '0.04');
  const { err, exit } = await start(dataDir);
  expect(exit).toEqual([1, null]);
  expect(err).toContain(`${dataDir} holds an installation that is not a demo`);
  expect(await begun.out('users', 'list')).not.toContain('demo@');
});

it('leaves a real installation of an earlier version as it is', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = makeDataDir();
  const real = commandLine({ url: null, dataDir });
  await real.out('migrate');
  await real.out('users', 'add', 'ann@example.com');
  const users = await withFile(dataDir, async (database) => {
    const rows = await database.kysely.selectFrom('users').selectAll().execute();
    await goBackTo(database, '0008-canceled-keys');
    return rows;
  });
  await withFile(dataDir, ({ kysely }) => kysely.insertInto('users').values(users).execute());
  const { err, exit } = await start(dataDir);
  expect(exit).toEqual([1, null]);
  expect(err).toContain(`${dataDir} holds an installation that is not a demo`);
  const status = await withFile(dataDir, migrationStatus);
  expect(status.at(-1)?.executedAt).toBe(null);
});

it('has asked its sandbox as it began, and not only in the past that is made up', {
  timeout: timeoutMs,
}, async () => {
  const dataDir = makeDataDir();
  const beganAt = Date.now();
  expect((await start(dataDir)).exit).toEqual([0, null]);
  const checks = await withFile(dataDir, (database) =>
    listUpstreamChecks(database, { upstreamId: null }),
  );
  expect(checks).toMatchObject([{ fault: null, modelsListed: 3 }]);
  expect(checks[0]?.checkedAt).toBeGreaterThanOrEqual(beganAt);
});

/** Gone after the test. */
function makeDataDir(): string {
  const dataDir = makeScratchFolder('demo');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function withFile<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({
    url: null,
    dataDir,
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
    onBackgroundError: () => {},
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function keyIn(said: string): string | undefined {
  return /API key +(\S+)/.exec(said)?.[1];
}

/** Stops it when it serves, and `whileServing`, which is told what it said, is over. */
async function start(dataDir: string, whileServing = async (_said: string) => {}) {
  const child = spawn(process.execPath, [program, 'demo', '--port', '0'], {
    env: {
      PATH: process.env['PATH'],
      TINTYPE_DATA_DIR: dataDir,
      TINTYPE_SECRET_KEY: '07'.repeat(32),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  let said = '';
  let err = '';
  child.stderr.on('data', (piece: Buffer) => {
    err += String(piece);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`;
    if (!line.startsWith('Serving on ')) continue;
    await whileServing(said);
    child.kill('SIGTERM');
  }
  return { said, err, exit: await exit };
}
