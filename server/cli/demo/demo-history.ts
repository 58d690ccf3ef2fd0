/**
 * Gives a fresh demo a past: the same flows and stores that serve live requests, under a clock that is
 * moved. So its books are right, which `tintype verify` shows.
 */
import { type Amount, parseAmount } from '../../../shared/money.ts';
import { preferencesSchema } from '../../accounts/preferences.ts';
import { writePreferences } from '../../accounts/user-store.ts';
import { listModels } from '../../catalog/model-store.ts';
import type { Database } from '../../db/db.ts';
import type { Admin } from '../../flows/admin-change.ts';
import { changeSetting } from '../../flows/installation/change-setting.ts';
import { setUpSandbox } from '../../flows/installation/set-up-sandbox.ts';
import { issueKey } from '../../flows/keys/issue-key.ts';
import { setPrice } from '../../flows/models/set-price.ts';
import { adjustWallet } from '../../flows/money/adjust-wallet.ts';
import { refundCharge } from '../../flows/money/refund-charge.ts';
import { topUpWallet } from '../../flows/money/top-up-wallet.ts';
import type { UpstreamAccess } from '../../flows/upstreams/ask-upstream.ts';
import { openAccount } from '../../flows/users/open-account.ts';
import { must } from '../../lib/assert.ts';
import { makeId } from '../../lib/ids.ts';
import { type DemoPerson, type DemoRequest, demoZone, planDemo } from './demo-plan.ts';
import { momentsOf, type Person, type RequestMoment, type Stage } from './demo-requests.ts';
import { MovedClock } from './moved-clock.ts';

export interface DemoPeople {
  demo: { email: string; name: string };
  admin: { email: string; name: string };
}

interface HistoryInput {
  database: Database;
  access: UpstreamAccess;
  people: DemoPeople;
  keyPrefix: string;
  /** All of it lies before. */
  nowMs: number;
}

const dayMs = 24 * 3_600_000;

export async function makeDemoHistory(input: HistoryInput): Promise<void> {
  const { database, nowMs } = input;
  const { opensAt, requests, busySince } = planDemo(nowMs);
  const clock = new MovedClock(opensAt);
  const admin: Admin = { database, clock, actor: 'cli:demo', reason: 'demo' };
  const persons = await openDemo(admin, input);
  const stage: Stage = {
    clock,
    persons,
    processId: makeId('proc', opensAt),
    prices: await readPrices(database),
    traceIds: new Map(),
  };
  const changes = changesOf({ admin, stage, busySince, requests });
  const moments = [...requests.flatMap((request) => momentsOf(request, stage)), ...changes];
  moments.sort((a, b) => a.at - b.at);
  await playBack(database, clock, moments);
}

/** Something that an administrator does, in transactions of its own. */
interface ChangeMoment {
  at: number;
  kind: 'change';
  happen: () => Promise<unknown>;
}

type Moment = RequestMoment | ChangeMoment;

const perTransactionMax = 200;

/** Requests share transactions, or the disk would have to be waited for a thousand times. */
async function playBack(
  database: Database,
  clock: MovedClock,
  moments: readonly Moment[],
): Promise<void> {
  for (let next = 0; next < moments.length; ) {
    const first = must(moments[next], 'a moment');
    clock.moveTo(first.at);
    if (first.kind === 'change') {
      await first.happen();
      next++;
      continue;
    }
    next = await database.transaction(async (trx) => {
      let index = next;
      for (; index < Math.min(next + perTransactionMax, moments.length); index++) {
        const moment = must(moments[index], 'a moment');
        if (moment.kind === 'change') break;
        clock.moveTo(moment.at);
        await moment.happen(trx);
      }
      return index;
    });
  }
}

async function openDemo(
  admin: Admin,
  { access, people, keyPrefix }: HistoryInput,
): Promise<Record<DemoPerson, Person>> {
  await setUpSandbox(admin, access);
  await changeSetting(admin, { key: 'defaultZone', value: demoZone });
  await changeSetting(admin, {
    key: 'topUpText',
    value: 'This is a demo: an administrator adds funds under Users and wallets.',
  });
  const open = async (who: DemoPerson, topUp: string): Promise<Person> => {
    const { id: userId } = await openAccount(admin, {
      ...people[who],
      role: who === 'admin' ? 'admin' : 'user',
      slotsMax: 500,
      topUp: money(topUp),
    });
    await admin.database.transaction((trx) =>
      writePreferences(trx, userId, { ...preferencesSchema.parse({}), zone: demoZone }),
    );
    const issue = async (name: DemoRequest['key']) => {
      const wanted = { user: userId, name, prefix: keyPrefix, models: null, expiresAt: null };
      return (await issueKey(admin, wanted)).key.id;
    };
    return { userId, keys: { 'web shop': await issue('web shop'), batch: await issue('batch') } };
  };
  return { admin: await open('admin', '2.50'), demo: await open('demo', '60') };
}

async function readPrices(database: Database): Promise<Map<string, Amount>> {
  const models = await listModels(database);
  return new Map(models.flatMap(({ id, price }) => (price === null ? [] : [[id, price]])));
}

/** What administrators did meanwhile. */
function changesOf({
  admin,
  stage,
  busySince,
  requests,
}: {
  admin: Admin;
  stage: Stage;
  busySince: number;
  requests: readonly DemoRequest[];
}): ChangeMoment[] {
  const { demo, admin: administrator } = stage.persons;
  const because = (reason: string): Admin => ({ ...admin, reason });
  const on = (day: number, happen: () => Promise<unknown>): ChangeMoment => ({
    at: busySince + day * dayMs,
    kind: 'change',
    happen,
  });
  const price = (day: number, amount: string) =>
    on(day, async () => {
      const modelId = 'gen-image-2.5-flare';
      await setPrice(because('electricity'), { modelId, price: money(amount) });
      stage.prices.set(modelId, money(amount));
    });
  const topUp = (day: number, { userId }: Person, amount: string) =>
    on(day, () => topUpWallet(because('bank transfer'), { user: userId, amount: money(amount) }));
  const adjust = (day: number, amount: string, reason: string) =>
    on(day, () => adjustWallet(because(reason), { user: demo.userId, amount: money(amount) }));
  return [
    topUp(8.3, demo, '25'),
    price(9.4, '0.045'),
    adjust(12.45, '3', 'for the outage of last week'),
    topUp(17.6, demo, '25'),
    price(20.5, '0.04'),
    adjust(21.3, '-1.50', 'booked twice'),
    topUp(23.5, administrator, '20'),
    topUp(26.4, demo, '40'),
    ...refundsOf(requests, { admin, stage, busySince }),
  ];
}

/** Every sixtieth picture did not please. */
function refundsOf(
  requests: readonly DemoRequest[],
  { admin, stage, busySince }: { admin: Admin; stage: Stage; busySince: number },
): ChangeMoment[] {
  const paid = requests.filter(
    ({ ending, startsAt, who }) =>
      ending.kind === 'succeeded' && ending.delivered && startsAt > busySince && who === 'demo',
  );
  return paid
    .filter((_, index) => index % 60 === 30)
    .map((request, index) => ({
      at: request.startsAt + 2 * 3_600_000,
      kind: 'change',
      happen: async () => {
        const traceId = stage.traceIds.get(request);
        if (traceId === undefined) return;
        const amount = index % 2 === 0 ? null : money('0.01');
        await refundCharge({ ...admin, reason: 'the picture came out wrong' }, { traceId, amount });
      },
    }));
}

function money(text: string): Amount {
  return must(parseAmount(text), `the amount ${text}`);
}
