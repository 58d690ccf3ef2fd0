/**
 * Three instances, each on a machine of its own (a network namespace), behind the real nginx and the
 * real Caddy with the examples of `deploy/`, on one PostgreSQL. One instance is stopped and started again, which
 * nobody notices. Then one is killed, and one cut off from the network; nobody notices but those whose requests they
 * had, and the books agree. Meanwhile a stream of 150 s and bodies of 64 MB go through.
 *
 * Needs Linux, root, iproute2, nginx and Caddy; leaves nothing behind.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { freePort } from '../../support/processes/free-port.ts';
import { Callers, editBigPictures, streamSlowPicture } from './callers.ts';
import { openSharedDatabase } from './database.ts';
import { type Installation, type Instance, setUp, startInstance } from './installation.ts';
import { type Machine, Network } from './network.ts';
import { type Proxy, readLog, startCaddy, startNginx } from './proxies.ts';

const callers = 12;
/** How long it may take until every instance has had a request. */
const calmMsMax = 60_000;
const troubleMs = 12_000;
/** Before and after a stop and a start, and between them. */
const quietMs = 6_000;
const booksTriesMax = 60;

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run check:instances\n\nThree instances behind nginx and Caddy; one is started again, one killed, one cut off. Needs Linux and root.',
  );
} else if (Network.isPossible()) {
  await checkInstances();
} else {
  console.log('Skipped: only root may make networks, and not on every machine.');
}

async function checkInstances(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tintype-instances-'));
  const closing: (() => unknown)[] = [() => rmSync(scratch, { recursive: true, force: true })];
  try {
    const network = new Network(`tt${process.pid % 10_000}`);
    closing.unshift(() => network.close());
    const database = await openSharedDatabase(network.address);
    closing.unshift(() => database.close());
    const installation = setUp(database.url, scratch);
    const machines = [1, 2, 3].map((number) => network.addMachine(number));
    const start = async (machine: Machine) => {
      const instance = await startInstance(machine, { databaseUrl: database.sharedUrl, scratch });
      closing.unshift(() => instance.kill('SIGKILL'));
      return instance;
    };
    const instances: Instance[] = [];
    for (const machine of machines) instances.push(await start(machine));
    const world = { scratch, network, installation, instances, start, closing };
    await checkAll(world);
  } finally {
    for (const close of closing) await close();
  }
  console.log(
    '\nThree instances behind a proxy do what one does, and losing one loses its own requests only.',
  );
}

interface World {
  scratch: string;
  network: Network;
  installation: Installation;
  /** One that is started again takes the place of itself. */
  instances: Instance[];
  start: (machine: Machine) => Promise<Instance>;
  closing: (() => unknown)[];
}

async function checkAll(world: World): Promise<void> {
  const { instances, installation } = world;
  const [, , steady] = instances;
  if (!steady) throw new Error('there are three');
  const { key } = installation;
  // Through the instance to which nothing happens.
  const nginx = await open(world, 'nginx-one', startNginx, [steady.address]);
  const caddy = await open(world, 'caddy-one', startCaddy, [steady.address]);
  const streams = Promise.all([nginx, caddy].map(({ origin }) => streamSlowPicture(origin, key)));
  // When a check before fails they are cut off, which must not end the process before it has cleaned up.
  streams.catch(() => {});
  const picture = await makeNoise();
  for (const { origin } of [nginx, caddy]) {
    const status = await editBigPictures(origin, { key, picture, count: 4 });
    expectEqual(`a body of ${megabytes(picture.length * 4)} MB goes through`, status, 200);
  }
  await checkStop(world);
  await checkLosses(world);
  for (const stream of await streams) {
    expectEqual('a slow stream is answered', stream.status, 200);
    expectEqual('and ends with its picture', stream.lastEvent, 'event: image_generation.completed');
    expectEqual(
      `${stream.comments} comments kept it open for ${Math.round(stream.seconds)} s`,
      stream.seconds >= 150 && stream.comments >= 10,
      true,
    );
  }
  await checkBooks(installation);
}

async function open(
  { scratch, closing }: World,
  name: string,
  start: typeof startNginx,
  instances: readonly string[],
): Promise<Proxy> {
  const proxy = await start({ instances, port: await freePort(), folder: join(scratch, name) });
  closing.unshift(() => proxy.close());
  return proxy;
}

/** One is stopped and started again, as for an update, and nobody notices. */
async function checkStop(world: World): Promise<void> {
  const { installation, instances, start } = world;
  const [first] = instances;
  if (!first) throw new Error('there are three');
  const addresses = instances.map(({ address }) => address);
  const proxies = [
    await open(world, 'nginx-stop', startNginx, addresses),
    await open(world, 'caddy-stop', startCaddy, addresses),
  ];
  const { key } = installation;
  const calling = proxies.map(({ origin }) => new Callers(callers, { origin, key }));
  await sleep(quietMs);
  await first.kill('SIGTERM');
  await sleep(quietMs);
  instances[0] = await start(first.machine);
  await sleep(quietMs);
  for (const each of calling) {
    await each.stop();
    expectEqual(
      `one is stopped and started again: all of ${each.outcomes.length} requests are answered`,
      each.succeeded,
      each.outcomes.length,
    );
  }
}

async function checkLosses(world: World): Promise<void> {
  const { installation, instances, network, scratch } = world;
  const [first, second, third] = instances;
  if (!first || !second || !third) throw new Error('there are three');
  const folder = join(scratch, 'nginx-all');
  mkdirSync(folder);
  const nginx = await open(
    world,
    'nginx-all',
    startNginx,
    instances.map(({ address }) => address),
  );
  const calling = new Callers(callers, { origin: nginx.origin, key: installation.key });
  const used = await usedInstances(folder, instances.length);
  expectEqual(
    'all three have requests',
    instances.every(({ address }) => used.has(address)),
    true,
  );
  expectEqual('all are answered', calling.succeeded, calling.outcomes.length);

  const beforeKill = calling.outcomes.length;
  await first.kill('SIGKILL');
  await sleep(troubleMs);
  expectOwnLosses('killed', calling.outcomes.slice(beforeKill).length, { folder, lost: [first] });

  network.cutOff(second.machine);
  await sleep(troubleMs);
  const duringCut = calling.succeeded;
  await sleep(troubleMs);
  expectEqual('the third goes on', calling.succeeded > duringCut, true);
  network.join(second.machine);
  await calling.stop();
  expectOwnLosses('cut off', calling.outcomes.length, { folder, lost: [first, second] });
  const failed = calling.outcomes.filter(({ status }) => status !== 200).length;
  console.log(`ok: ${calling.succeeded} pictures, ${failed} requests lost with their instances`);
}

/** Waits until so many have had a request. */
async function usedInstances(folder: string, count: number): Promise<ReadonlySet<string>> {
  for (let waitedMs = 0; ; waitedMs += 500) {
    const used = new Set(readLog(folder).flatMap((told) => told.instances));
    if (used.size >= count || waitedMs >= calmMsMax) return used;
    await sleep(500);
  }
}

/** Each request that failed was with an instance that was lost. */
function expectOwnLosses(
  what: string,
  asked: number,
  { folder, lost }: { folder: string; lost: readonly Instance[] },
): void {
  const addresses = lost.map(({ address }) => address);
  const strange = readLog(folder).filter(
    // The check of the proxy itself, before it was used, is a GET that may find nobody.
    ({ status, instances }) => status !== 200 && !addresses.includes(instances.at(-1) ?? ''),
  );
  expectEqual(
    `one is ${what}: of ${asked} requests only those that it had fail`,
    JSON.stringify(strange),
    '[]',
  );
}

/** The holds of whoever is gone end with their leases, and then everything adds up. */
async function checkBooks(installation: Installation): Promise<void> {
  for (let tries = 1; ; tries++) {
    const told = installation.tintype('verify');
    if (told.includes('The books are right') && told.includes(' 0 open holds')) {
      console.log(`ok: ${told.trim().split('\n').join('; ')}`);
      return;
    }
    if (tries >= booksTriesMax) throw new Error(`the books do not agree: ${told}`);
    await sleep(1_000);
  }
}

/** Nothing that can be made smaller: its file is as big as its pixels. */
function makeNoise(): Promise<Buffer> {
  const side = 2_300;
  const create = { width: side, height: side, channels: 3, background: 'black' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

function expectEqual<T>(what: string, actual: T, expected: T): void {
  if (actual !== expected) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`);
  }
  console.log(`ok: ${what}`);
}
