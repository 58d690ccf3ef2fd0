/** What a service does whose PostgreSQL, or the way to it, fails at the worst moment. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeSecret } from '../../server/accounts/key-secret.ts';
import { isUnavailable } from '../../server/db/database-error.ts';
import type { Database } from '../../server/db/db.ts';
import { picturesOf } from '../support/callers/answers.ts';
import { answerOf, errorOf } from '../support/callers/api.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import type { StatementFate } from '../support/databases/faulty-proxy.ts';
import { violationsOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { startFaultyService } from '../support/processes/faulty-service.ts';
import { thrownBy } from '../support/thrown-by.ts';

const full = '100.00 balance, 0.00 held, 0 slots';
const charged = '99.96 balance, 0.00 held, 0 slots';
const fates: readonly StatementFate[] = ['is lost', 'happens unheard'];

const onlyPostgres = {
  meta: { skippedBecause: 'concerns PostgreSQL and the way to it' },
};

forEachEngine((engine) => {
  describe('PostgreSQL', { ...onlyPostgres, skip: engine.name !== 'postgres' }, () => {
    describe('whose connection breaks while it admits', () => {
      it.each(fates)('charges nothing and leaves nothing held when the admit %s', async (fate) => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        const failed = proxy.fail('admit', fate);
        expectTryAgain(await ask());
        await failed;
        await expect.poll(wallet, patience).toBe(full);
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it.each(fates)(
        'makes one picture for one charge when the admit %s and its Idempotency-Key is sent again',
        async (fate) => {
          const { ask, database, proxy, wallet } = await startFaultyService(engine);
          const failed = proxy.fail('admit_with_key', fate);
          const key = { 'idempotency-key': 'order-1' };
          expectTryAgain(await ask({}, key));
          await failed;
          expect(picturesOf(await ask({}, key))).toHaveLength(1);
          expect(await wallet()).toBe(charged);
          expect(await violationsOf(database)).toEqual([]);
        },
      );
    });

    describe('whose connection breaks while it settles', () => {
      it.each(fates)('gives the picture for one charge when the settle %s', async (fate) => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        const failed = proxy.fail('settle', fate, 2);
        expect(picturesOf(await ask())).toHaveLength(1);
        await failed;
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it.each(fates)('streams the picture for one charge when the settle %s', async (fate) => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        const failed = proxy.fail('settle', fate);
        const { status, text } = await ask({ stream: true, partial_images: 1 });
        await failed;
        expect([status, text.match(/^event: .*$/gm)]).toEqual([
          200,
          ['event: image_generation.partial_image', 'event: image_generation.completed'],
        ]);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it.each(fates)(
        'sends no picture and returns the money when the settle %s and the way stays closed',
        async (fate) => {
          const { ask, database, proxy, stop, wallet } = await startFaultyService(engine);
          const failed = proxy.fail('settle', fate).then(() => {
            proxy.isOpen = false;
            proxy.cutAll();
          });
          expectTryAgain(await ask());
          await failed;
          expectTryAgain(await ask());
          proxy.isOpen = true;
          await expect.poll(wallet, patience).toBe(full);
          expect(picturesOf(await ask())).toHaveLength(1);
          await stop();
          expect(await wallet()).toBe(charged);
          expect(await violationsOf(database)).toEqual([]);
        },
      );
    });

    describe('whose connection breaks while it ends a request', () => {
      it.each(fates)('frees what was held when the release %s', async (fate) => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        const failed = proxy.fail('release', fate);
        const { code } = errorOf(await ask({ prompt: '[[fail=unavailable]]' }));
        expect(code).toBe('upstream_error');
        await failed;
        await expect.poll(wallet, patience).toBe(full);
        expect(await violationsOf(database)).toEqual([]);
      });

      it('keeps the charge of a picture whose hand-over it could not note at once', async () => {
        const { ask, database, proxy, stop, wallet } = await startFaultyService(engine);
        let failures = 3;
        proxy.fateOf = (statement) =>
          statement === 'mark_delivered' && failures-- > 0 ? 'is lost' : 'works';
        expect(picturesOf(await ask())).toHaveLength(1);
        await expect.poll(() => undelivered(database), patience).toBe(0);
        expect(failures).toBeLessThan(0);
        await stop();
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it('keeps it, and what is under way, for longer than a hold that nobody works on may stay', async () => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        const slow = ask({ prompt: 'a fox [[delay=150s]] [[actual=32x32]]' });
        let renewals = 0;
        proxy.fateOf = (statement) => {
          if (statement === 'renew_lease') renewals++;
          return statement === 'mark_delivered' ? 'is lost' : 'works';
        };
        expect(picturesOf(await ask())).toHaveLength(1);
        renewals = 0;
        // Each is followed by a sweep, and they are 5 seconds apart.
        await expect.poll(() => renewals, patience).toBeGreaterThan(20);
        proxy.fateOf = () => 'works';
        expect(picturesOf(await slow)).toHaveLength(1);
        await expect.poll(() => undelivered(database), patience).toBe(0);
        expect(await wallet()).toBe('99.92 balance, 0.00 held, 0 slots');
        expect(await violationsOf(database)).toEqual([]);
      });
    });

    it('that takes no connections is told at once, also to unknown keys, and comes back', async () => {
      const { app, ask, database, proxy, wallet } = await startFaultyService(engine);
      proxy.isOpen = false;
      proxy.cutAll();
      expectTryAgain(await ask());
      const stranger = await app.post(generation.path, { apiKey: makeSecret('tin') }, {});
      expectTryAgain(await answerOf(stranger));
      proxy.isOpen = true;
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('that takes no connections does not keep the service from stopping', async () => {
      const { app, proxy, stop } = await startFaultyService(engine);
      proxy.isOpen = false;
      proxy.cutAll();
      await stop();
      await expect(fetch(`${app.baseUrl}/healthz`)).rejects.toThrow('fetch failed');
    });

    it('whose connections are all taken lets requests wait a little and then try again', async () => {
      const config = { databaseConnectionsMax: 1, databaseConnectTimeoutMs: 500 };
      const { app, ask, database, wallet } = await startFaultyService(engine, { config });
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
      const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
      const slow = app.database.transaction(async () => {
        begin();
        await isOver;
      });
      await hasBegun;
      for (const answer of await Promise.all([ask(), ask(), ask()])) expectTryAgain(answer);
      end();
      await slow;
      expect(picturesOf(await ask())).toHaveLength(1);
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    describe('that does not answer any more', () => {
      const config = { databaseConnectTimeoutMs: 500 };
      const never = new Promise<StatementFate>(() => {});

      it('is waited for a little while it admits', async () => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine, { config });
        proxy.fateOf = (statement) => (statement === 'admit' ? never : 'works');
        expectTryAgain(await ask());
        proxy.fateOf = () => 'works';
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it('is asked again for the lease', async () => {
        const { database, proxy } = await startFaultyService(engine, { config });
        let renewals = 0;
        proxy.fateOf = (statement) =>
          statement === 'renew_lease' && ++renewals === 1 ? never : 'works';
        await expect.poll(() => renewals, patience).toBeGreaterThan(0);
        const before = await leaseOf(database);
        await expect.poll(() => leaseOf(database), patience).toBeGreaterThan(before);
      });

      it('is asked again for the news of other processes', async () => {
        const { proxy } = await startFaultyService(engine, { config });
        let listens = 0;
        proxy.fateOf = (statement) =>
          statement.startsWith('listen') && ++listens === 1 ? never : 'works';
        proxy.cutAll();
        await expect.poll(() => listens, patience).toBe(2);
      });

      it('is asked again while it settles, and charges once', async () => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine, { config });
        let settles = 0;
        proxy.fateOf = (statement) => (statement === 'settle' && ++settles === 1 ? never : 'works');
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(settles).toBe(2);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });
    });

    it('may cut a transaction off between two of its statements', async () => {
      const { app, ask, proxy } = await startFaultyService(engine);
      const error = await thrownBy(
        app.database.transaction(async (trx) => {
          await sql`select 1`.execute(trx.kysely);
          proxy.cutAll();
          // Long enough for the end of the connection to arrive.
          await answerOf(await fetch(`${app.baseUrl}/v1/models`));
          await sql`select 1`.execute(trx.kysely);
        }),
      );
      expect(isUnavailable(error)).toBe(true);
      await expect.poll(async () => (await ask()).status, patience).toBe(200);
    });

    describe('in which transactions cross', () => {
      it.each(['40001', '40P01'])('does what %s undid again', async (code) => {
        const { ask, database, wallet } = await startFaultyService(engine);
        await raiseInWallets(database, { code, times: 3 });
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it.each(['40001', '40P01'])('asks to try again when %s does not end', async (code) => {
        const { ask, database, wallet } = await startFaultyService(engine);
        const stop = await raiseInWallets(database, { code, times: 1_000 });
        expectTryAgain(await ask());
        await stop();
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });
    });

    describe('that only reads', () => {
      it('admits nothing until it writes again', async () => {
        const { ask, database, proxy, wallet } = await startFaultyService(engine);
        await setReadOnly(database, true);
        proxy.cutAll();
        expectTryAgain(await ask());
        await setReadOnly(database, false);
        proxy.cutAll();
        // A connection may be used once more before its end is heard of.
        await expect.poll(async () => (await ask()).status, patience).toBe(200);
        await expect.poll(wallet, patience).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it('settles what was under way when it writes again', async () => {
        const config = { databaseConnectionsMax: 1 };
        const { ask, database, proxy, wallet } = await startFaultyService(engine, { config });
        let settles = 0;
        proxy.fateOf = async (statement) => {
          if (statement !== 'settle' || ++settles > 3) return 'works';
          // The first is cut off from a database that writes; the next ones meet one that does not.
          await setReadOnly(database, settles < 3);
          return settles === 2 ? 'works' : 'is lost';
        };
        expect(picturesOf(await ask())).toHaveLength(1);
        expect(settles).toBeGreaterThan(3);
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });
    });
  });
});

async function leaseOf({ kysely }: Database): Promise<number> {
  const { lease_until: until } = await kysely
    .selectFrom('processes')
    .select('lease_until')
    .executeTakeFirstOrThrow();
  return until;
}

async function undelivered({ kysely }: Database): Promise<number> {
  const rows = await kysely
    .selectFrom('holds')
    .select('trace_id')
    .where('delivered_at', 'is', null)
    .execute();
  return rows.length;
}

/** From now on, the next `times` updates of wallets fail with this code. */
async function raiseInWallets(
  { kysely }: Database,
  { code, times }: { code: string; times: number },
): Promise<() => Promise<unknown>> {
  // A sequence is not undone with the transaction that took from it.
  await sql`create sequence faults`.execute(kysely);
  await sql`create function fail_some() returns trigger language plpgsql as ${sql.lit(`begin
      if nextval('faults') <= ${times} then
        raise exception 'raised on purpose' using errcode = '${code}';
      end if;
      return new;
    end`)}`.execute(kysely);
  await sql`create trigger fail_some before update on wallets
    for each row execute function fail_some()`.execute(kysely);
  return () => sql`drop trigger fail_some on wallets`.execute(kysely);
}

/** Concerns the connections made from now on. */
async function setReadOnly({ kysely }: Database, isReadOnly: boolean): Promise<void> {
  await kysely
    .transaction()
    .setAccessMode('read write')
    .execute(async (trx) => {
      const { name } = await trx
        .selectNoFrom(sql<string>`current_database()`.as('name'))
        .executeTakeFirstOrThrow();
      await sql`alter database ${sql.ref(name)}
        set default_transaction_read_only = ${sql.lit(isReadOnly)}`.execute(trx);
    });
}
