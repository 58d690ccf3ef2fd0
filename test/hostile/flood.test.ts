/** Many clients that mean no good, all at once: others are served, and their connections are cut. */
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { generation, smallPrompt } from '../support/callers/ways-to-ask.ts';
import { amount, testAdmin } from '../support/console/test-admin.ts';
import {
  askService,
  equip,
  type ServiceProcess,
  startService,
} from '../support/processes/service-process.ts';
import { makeScratchFolder } from '../support/scratch.ts';

/** For a slow and busy machine. */
const patience = { timeout: 50_000, interval: 100 };
const options = {
  TINTYPE_HEADERS_TIMEOUT: '3s',
  TINTYPE_UPLOAD_TIMEOUT: '3s',
  TINTYPE_DELIVERY_TIMEOUT: '3s',
};
const head = `POST ${generation.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;

describe('a flood', () => {
  let installation: { dataDir: string; apiKey: string } | null = null;
  beforeAll(async () => {
    const dataDir = makeScratchFolder('flood');
    installation = { dataDir, apiKey: await setUp(dataDir) };
    return () => rmSync(dataDir, { recursive: true, force: true });
  });

  test.each<[number, string, (apiKey: string) => string]>([
    [500, 'that say nothing', () => ''],
    [
      300,
      'that do not come to the end of their headers',
      () => 'GET /v1/models HTTP/1.1\r\nHost: a\r\nX-',
    ],
    [
      100,
      'that do not come to the end of their bodies',
      (apiKey) =>
        `${head}Authorization: Bearer ${apiKey}\r\nContent-Length: 100000\r\n\r\n{"model"`,
    ],
    [
      100,
      'that do not come to the end of their chunks',
      (apiKey) =>
        `${head}Authorization: Bearer ${apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"model"`,
    ],
    [
      200,
      'that have a body for whoever reads it, and no key',
      () => `${head}Content-Length: 99999999\r\n\r\n{`,
    ],
  ])('of %i clients %s keeps nobody out, and ends', async (count, _what, write) => {
    const { service, apiKey } = await start();
    const before = openFiles(service);
    const flood = await connectMany(service, count);
    for (const { socket } of flood) socket.write(write(apiKey));
    await expectServed(service, apiKey);
    await Promise.all(flood.map(({ closed }) => closed));
    await expectServed(service, apiKey);
    await expect.poll(() => openFiles(service), patience).toBeLessThanOrEqual(before + spare);
  });

  test('of 50 clients that do not read their pictures keeps nobody out, and ends', async () => {
    const { service, apiKey } = await start();
    const before = openFiles(service);
    const flood = await connectMany(service, 50);
    const body = JSON.stringify({
      model: 'gen-image-2.5-flare',
      prompt: 'a fox [[actual=32x32]] [[bytes=8000000]]',
    });
    for (const { socket } of flood) {
      socket.pause();
      socket.write(
        `${head}Authorization: Bearer ${apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
    await expectServed(service, apiKey);
    await expect.poll(() => openFiles(service), patience).toBeLessThanOrEqual(before + spare);
    for (const { socket } of flood) socket.destroy();
    await expectServed(service, apiKey);
  });

  test('of 5 clients that send requests ahead and read no answer does not fill the memory', async () => {
    const { service, apiKey } = await start({ NODE_OPTIONS: '--max-old-space-size=256' });
    const flood = await connectMany(service, 5);
    for (const { socket } of flood) {
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3_000));
    }
    await expectServed(service, apiKey);
    for (const { socket } of flood) socket.destroy();
    const answer = await askService(service, { apiKey }, { prompt: smallPrompt });
    expect(answer.status).toBe(200);
  });

  test('of 1,000 connections that are reset at once keeps nobody out', async () => {
    const { service, apiKey } = await start();
    const before = openFiles(service);
    for (let burst = 0; burst < 10; burst++) {
      const flood = await connectMany(service, 100);
      for (const { socket } of flood) socket.write('GET /v1/models HT');
      for (const { socket } of flood) socket.resetAndDestroy();
      await expectServed(service, apiKey);
    }
    await expect.poll(() => openFiles(service), patience).toBeLessThanOrEqual(before + spare);
  });

  test('of 500 wrong keys keeps nobody out', async () => {
    const { service, apiKey } = await start({});
    const wrong = Array.from({ length: 500 }, (_, index) =>
      askService(service, { apiKey: `sk-tin-wrong${index}` }),
    );
    await expectServed(service, apiKey);
    const answers = await Promise.all(wrong);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    await expectServed(service, apiKey);
  });

  async function start(
    given: Record<string, string> = options,
  ): Promise<{ service: ServiceProcess; apiKey: string }> {
    const { dataDir, apiKey } = must(installation, 'the installation');
    const service = await startService({ url: null, dataDir }, given);
    await expectServed(service, apiKey);
    return { service, apiKey };
  }
});

/** Connections that are kept for who just asked, and what a service opens once. */
const spare = 12;

function openFiles({ pid }: { pid: number }): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function expectServed(service: ServiceProcess, apiKey: string): Promise<void> {
  const answer = await askService(service, { apiKey }, { prompt: smallPrompt });
  expect(answer.status).toBe(200);
}

async function connectMany({ baseUrl }: ServiceProcess, count: number) {
  const { hostname, port } = new URL(baseUrl);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return Promise.all(
    sockets.map(async (socket: Socket) => {
      socket.on('error', () => {}).resume();
      const closed = once(socket, 'close');
      await once(socket, 'connect');
      return { socket, closed };
    }),
  );
}

async function setUp(dataDir: string): Promise<string> {
  const location = { url: null, dataDir, connectionsMax: 1, connectTimeoutMs: 30_000 };
  const database = openDatabase({ ...location, onBackgroundError: () => {} });
  try {
    await migrate(database);
    await equip(database);
    const admin = testAdmin(database);
    const email = 'flood@example.com';
    const topUp = amount('1000');
    const { id } = await openAccount(admin, {
      email,
      name: email,
      role: 'user',
      slotsMax: 1_000,
      topUp,
    });
    const wanted = { user: id, name: 'flood', prefix: 'tin', models: null, expiresAt: null };
    return (await issueKey(admin, wanted)).secret;
  } finally {
    await database.close();
  }
}
