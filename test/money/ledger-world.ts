/** The real ledger, doing the commands of a history and answering in the model's words. */
import type { KeyLimits } from '../../server/accounts/key-budget.ts';
import { isDuplicate } from '../../server/db/database-error.ts';
import type { Database } from '../../server/db/db.ts';
import type { Admin } from '../../server/flows/admin-change.ts';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { adjustWallet } from '../../server/flows/money/adjust-wallet.ts';
import { type Admission, admit, release, settle } from '../../server/flows/money/hold-money.ts';
import { refundCharge } from '../../server/flows/money/refund-charge.ts';
import { refundOwn } from '../../server/flows/money/refund-undelivered.ts';
import { sweepHolds } from '../../server/flows/money/sweep-holds.ts';
import { topUpWallet } from '../../server/flows/money/top-up-wallet.ts';
import { openAccount } from '../../server/flows/users/open-account.ts';
import { must } from '../../server/lib/assert.ts';
import { makeId } from '../../server/lib/ids.ts';
import { ServiceError } from '../../server/lib/service-error.ts';
import { claimDelivery, markDelivered } from '../../server/wallets/delivery-store.ts';
import { amountFromMicros, negateAmount } from '../../shared/money.ts';
import { testAdmin } from '../support/console/test-admin.ts';
import {
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../support/money/spending.ts';
import { type Command, sweepAnswer } from './interleavings.ts';
import { type Books, readBooks } from './ledger-books.ts';
import { type KeyTerms, slotsMax, type Terms } from './ledger-model.ts';

/** What a history begins with. */
export interface Beginning {
  /** What each wallet starts with, in micros. */
  money: readonly number[];
  requests: readonly Terms[];
  /** Of each wallet's owner. */
  apiKeys: readonly (readonly KeyTerms[])[];
}

export const processesOfWorld = 2;

let users = 0;

/** The things that the model has numbers for. */
interface Things {
  requests: readonly (Terms & { traceId: string })[];
  /** Each user, once for each of the API keys. */
  owners: readonly (readonly Spender[])[];
  processes: readonly Awaited<ReturnType<typeof startProcess>>[];
}

export class World {
  readonly #handles: readonly Database[];
  readonly #things: Things;

  private constructor(handles: readonly Database[], things: Things) {
    this.#handles = handles;
    this.#things = things;
  }

  /** @param handles on one database; what happens at the same time is spread over them */
  static async open(
    handles: readonly Database[],
    { money, requests, apiKeys }: Beginning,
  ): Promise<World> {
    const database = must(handles[0], 'a database');
    const admin = adminOf(database);
    return new World(handles, {
      requests: requests.map((each) => ({ ...each, traceId: makeId('tr', admin.clock.now()) })),
      owners: await inTurn(apiKeys, (keys, wallet) =>
        addOwner(admin, must(money[wallet], 'an amount'), keys),
      ),
      processes: await inTurn(Array.from({ length: processesOfWorld }), () =>
        startProcess(database),
      ),
    });
  }

  happenTogether(commands: readonly Command[]): Promise<string[]> {
    const handles = this.#handles;
    return Promise.all(
      commands.map((command, index) =>
        this.#happen(command, must(handles[index % handles.length], 'a database')),
      ),
    );
  }

  books(): Promise<Books> {
    return readBooks(must(this.#handles[0], 'a database'), {
      userIds: this.#things.owners.map((keys) => must(keys[0], 'an API key').userId),
      apiKeyIds: this.#things.owners.map((keys) => keys.map(({ apiKeyId }) => apiKeyId)),
      traceIds: this.#things.requests.map(({ traceId }) => traceId),
    });
  }

  /** Lets go of everything, so that the next history of this database finds no leftovers. */
  async end(): Promise<void> {
    for (const process of this.#things.processes) await process.die();
    await this.happenTogether([{ kind: 'sweep' }]);
  }

  async #happen(command: Command, database: Database): Promise<string> {
    switch (command.kind) {
      case 'admit':
        return this.#admit(command, database);
      case 'settle':
        return this.#settle(command, database);
      case 'release':
      case 'return':
      case 'claim':
      case 'deliver':
        return this.#end(command, database);
      case 'refund':
        return this.#refund(command, database);
      case 'top_up':
      case 'adjustment':
        return this.#move(command, database);
      case 'sweep':
        return sweep(database);
      case 'die':
      case 'live': {
        const process = must(this.#things.processes[command.process], 'a process');
        await (command.kind === 'live' ? process.live() : process.die());
        return '';
      }
    }
  }

  async #admit({ request }: Of<'admit'>, database: Database): Promise<string> {
    const { wallet, apiKey, process, idempotencyKey, images, price, traceId } =
      this.#requestOf(request);
    const spender = must(this.#things.owners[wallet]?.[apiKey], 'an API key');
    const admission = admissionOf(spender, {
      traceId,
      processId: must(this.#things.processes[process], 'a process').id,
      images,
      unitPrice: amountFromMicros(price),
      slotsMax,
      idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: 'same' },
    });
    return admitOnce(database, admission);
  }

  async #settle({ request, images }: Of<'settle'>, database: Database): Promise<string> {
    const { traceId, price } = this.#requestOf(request);
    const settlement = settlementOf(traceId, images, amountFromMicros(price));
    const charged = await settle(database, adminOf(database).clock, settlement);
    return charged ? `${negateAmount(charged.cost)}, leaving ${charged.balance}` : 'nothing';
  }

  async #end(
    { kind, request }: Of<'release' | 'return' | 'claim' | 'deliver'>,
    database: Database,
  ): Promise<string> {
    const { clock } = adminOf(database);
    const { traceId } = this.#requestOf(request);
    if (kind === 'deliver') {
      await database.transaction((trx) => markDelivered(trx, [traceId], clock.now()));
      return '';
    }
    if (kind === 'claim') {
      return (await claimDelivery(database, { traceId, claimMs: 3_600_000 }))
        ? 'claimed'
        : 'nothing';
    }
    const ending = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
    const hasEnded =
      kind === 'release'
        ? await release(database, clock, ending)
        : await refundOwn(database, clock, { traceId, code: 'client_gone' });
    return hasEnded ? 'ended' : 'nothing';
  }

  #refund({ request, amount: micros }: Of<'refund'>, database: Database): Promise<string> {
    const { traceId } = this.#requestOf(request);
    const amount = micros === null ? null : amountFromMicros(micros);
    return orRefused(async () => {
      const { refunded, balance } = await refundCharge(adminOf(database), { traceId, amount });
      return `${refunded}, leaving ${balance}`;
    });
  }

  #move({ kind, wallet, amount }: Of<'top_up' | 'adjustment'>, database: Database) {
    const post = kind === 'top_up' ? topUpWallet : adjustWallet;
    const user = must(this.#things.owners[wallet]?.[0], 'an API key').userId;
    const order = { user, amount: amountFromMicros(amount) };
    return orRefused(async () => `${amount}, leaving ${await post(adminOf(database), order)}`);
  }

  #requestOf(number: number) {
    return must(this.#things.requests[number], 'a request');
  }
}

/** The command of this kind. */
type Of<K extends Command['kind']> = Extract<Command, { kind: K }>;

function adminOf(database: Database): Admin {
  return testAdmin(database, 'a random history');
}

async function addOwner(
  admin: Admin,
  micros: number,
  apiKeys: readonly KeyTerms[],
): Promise<readonly Spender[]> {
  const { id: userId } = await openAccount(admin, {
    email: `owner${++users}@example.com`,
    name: 'owner',
    role: 'user',
    slotsMax: null,
    topUp: amountFromMicros(micros),
  });
  return inTurn(apiKeys, async ({ slotsMax: keySlotsMax, spendMax }) => {
    const terms = { name: 'test', prefix: 'tin', models: null, expiresAt: null };
    const limits: KeyLimits = {
      slotsMax: keySlotsMax,
      spendMax: spendMax === null ? null : amountFromMicros(spendMax),
      monthlySpendMax: null,
      zone: 'UTC',
    };
    const { key, secret } = await issueKey(admin, { user: userId, ...terms, limits });
    return { userId, apiKeyId: key.id, apiKey: secret };
  });
}

async function admitOnce(database: Database, admission: Admission): Promise<string> {
  try {
    const { kind } = await admit(database, adminOf(database).clock, admission);
    return kind.replaceAll('_', ' ');
  } catch (error) {
    // A trace ID is used once; here it is used again on purpose.
    if (isDuplicate(error)) return 'repeated';
    throw error;
  }
}

async function sweep(database: Database): Promise<string> {
  const swept = await sweepHolds(database, adminOf(database).clock);
  if (swept.stuck.length > 0) throw new Error('a hold could not be ended', { cause: swept });
  return sweepAnswer(swept);
}

async function orRefused(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) return 'refused';
    throw error;
  }
}

async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}
