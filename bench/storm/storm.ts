/** One storm: requests and blows as planned, then quiet, then the books. */
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { topUpWallet } from '../../server/flows/money/top-up-wallet.ts';
import { must } from '../../server/lib/assert.ts';
import { parseAmount } from '../../shared/money.ts';
import { answerRules } from './answer-rules.ts';
import { type Books, type Outcome, readBooks } from './books.ts';
import { chargeRules } from './charge-rules.ts';
import { Fleet } from './fleet.ts';
import { forceRules } from './force-rules.ts';
import {
  type Installation,
  type StormDatabase,
  setUpInstallation,
  stormTimes,
} from './installation.ts';
import { ledgerRules } from './ledger-rules.ts';
import { type Plan, planStorm } from './plan.ts';
import { processRules } from './process-rules.ts';
import type { Rule, Verdict } from './rule.ts';
import { runErrand, type World } from './run-errand.ts';
import type { StormSize } from './storm-size.ts';
import { StormTime } from './storm-time.ts';
import { upstreamRules } from './upstream-rules.ts';

export interface StormOptions {
  size: StormSize;
  database: StormDatabase;
  /** For logs and the journal. */
  folder: string;
  /** Worker processes of each server; one by default. */
  workers?: number;
  /** Told now and then how far it is. */
  onProgress: (progress: Progress) => void;
}

export interface Progress {
  seconds: number;
  errandsDone: number;
  blowsDone: number;
  /** Errands whose client holds a complete answer. */
  held: number;
}

export interface StormReport {
  size: StormSize;
  books: Books;
  verdicts: readonly (Verdict & { name: string })[];
  /** From the last request to the last hold. */
  quietAfterMs: number;
}

const rules: readonly Rule[] = [
  ...forceRules,
  ...chargeRules,
  ...ledgerRules,
  ...upstreamRules,
  ...answerRules,
  ...processRules,
];

/** How long a slow machine may have no server up, on top of the time of the storm. */
const standsStillMsMax = 60_000;
const progressEveryMs = 2_000;
/** What a hold may take to end when all is quiet: its deadline, a lease, a sweep. */
const quietMaxMs = stormTimes.deadlineMs + stormTimes.leaseMs + 4_000;

export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { database, folder, size, workers = 1 } = options;
  const plan = planStorm(size);
  const installation = await setUpInstallation(database, folder, plan);
  const fleet = await Fleet.open({
    count: size.servers,
    environment: { ...installation.environment, TINTYPE_WORKERS: String(workers) },
    folder,
    freezeMs: stormTimes.freezeMs,
  });
  const destroy = () => fleet.destroy();
  process.once('exit', destroy);
  try {
    await fleet.start();
    const outcomes = await blow(options, { plan, installation, fleet });
    const quietAfterMs = await untilQuiet(installation);
    await fleet.stop();
    await sweepOnce(fleet);
    const books = await readBooks(installation, { plan, outcomes, lives: fleet.lives });
    const verdicts = rules.map((rule) => ({ name: rule.name, ...rule.check(books) }));
    return { size, books, verdicts, quietAfterMs };
  } finally {
    fleet.destroy();
    process.off('exit', destroy);
    await installation.database.close();
  }
}

interface Scene {
  plan: Plan;
  installation: Installation;
  fleet: Fleet;
}

async function blow(
  { onProgress, size }: StormOptions,
  { plan, installation, fleet }: Scene,
): Promise<Outcome[]> {
  const time = new StormTime(() => fleet.isUp, size.seconds * 1_000 + standsStillMsMax);
  const world: World = {
    fleet,
    isOver: () => time.passedMs > size.seconds * 1_000 + stormTimes.leaseMs + 1_000,
    referenceImage: await makeReferenceImage(),
  };
  const progress: Progress = { seconds: 0, errandsDone: 0, blowsDone: 0, held: 0 };
  const timer = setInterval(() => {
    onProgress({ ...progress, seconds: time.passedMs / 1_000 });
  }, progressEveryMs);
  const errands = plan.errands.map(async (errand) => {
    await time.until(errand.atMs);
    const apiKey = must(installation.keys.get(errand.number), 'the key of an errand').secret;
    const tries = await runErrand(errand, apiKey, world);
    progress.errandsDone += 1;
    if (tries.some(({ held }) => held)) progress.held += 1;
    return { errand, tries };
  });
  const blows = plan.blows.map(async (each) => {
    await time.until(each.atMs);
    await fleet.strike(each);
    progress.blowsDone += 1;
  });
  const topUps = plan.topUps.map(async ({ atMs, money, user }) => {
    await time.until(atMs);
    const { id } = must(installation.users[user], 'the user of a top-up');
    const amount = must(parseAmount(money), 'the amount of a top-up');
    await topUpWallet(installation.admin, { user: id, amount });
  });
  try {
    const [outcomes] = await Promise.all([
      Promise.all(errands),
      Promise.all(blows),
      Promise.all(topUps),
    ]);
    return outcomes;
  } finally {
    clearInterval(timer);
    time.stop();
  }
}

/** Waits until no hold is open, but not for ever: the rules tell what is left. */
async function untilQuiet({ database }: Installation): Promise<number> {
  const startedAt = Date.now();
  for (;;) {
    const open = await database.kysely
      .selectFrom('holds')
      .select('trace_id')
      .where('state', '=', 'open')
      .executeTakeFirst();
    const passedMs = Date.now() - startedAt;
    if (!open || passedMs > quietMaxMs) return passedMs;
    await sleep(100);
  }
}

/** The next start after everything has stopped returns what was charged and never handed over. */
async function sweepOnce(fleet: Fleet): Promise<void> {
  const server = must(fleet.servers[0], 'a server');
  await server.start();
  await server.terminate();
}

function makeReferenceImage(): Promise<Buffer> {
  const background = { r: 120, g: 90, b: 60 };
  return sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
}
