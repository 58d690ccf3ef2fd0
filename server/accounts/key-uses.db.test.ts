import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { addSpender, type Caller } from '../../test/support/money/spending.ts';
import type { Database } from '../db/db.ts';
import { createLogger } from '../lib/logger.ts';
import { findApiKey } from './api-key-store.ts';
import { KeyUses } from './key-uses.ts';

const log = createLogger('silent', { write: () => {} });

forEachEngine((engine) => {
  let database: Database;
  let clock: ManualClock;
  let spender: Caller;

  beforeEach(async () => {
    database = await engine.open();
    clock = new ManualClock();
    spender = await addSpender(database, '0');
  });

  const uses = () => new KeyUses({ database, clock, log });
  const lastUsed = async () => (await findApiKey(database, spender.apiKeyId))?.lastUsedAt;

  it('notes a use once a minute, to the moment of the first', async () => {
    const noted = uses();
    const first = clock.now();
    for (const ms of [0, 1, 59_998]) {
      clock.advance(ms);
      noted.note(spender.apiKeyId);
    }
    await noted.flush();
    expect(await lastUsed()).toBe(first);
    clock.advance(1);
    noted.note(spender.apiKeyId);
    await noted.flush();
    expect(await lastUsed()).toBe(first + 60_000);
  });

  it('does not go back behind what another process noted', async () => {
    const early = uses();
    early.note(spender.apiKeyId);
    const before = clock.now();
    clock.advance(90_000);
    const late = uses();
    late.note(spender.apiKeyId);
    await late.flush();
    await early.flush();
    expect(await lastUsed()).toBe(before + 90_000);
  });

  it('is never, until the key is used', async () => {
    expect(await lastUsed()).toBeNull();
  });
});
