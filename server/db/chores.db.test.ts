import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { claimChore, finishChore, readDoneUntil } from './chores.ts';
import type { Database } from './db.ts';

const name = 'forget_ended';
const forMs = 60_000;

forEachEngine((engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await engine.open();
  });

  const claim = (by: string) => database.transaction((trx) => claimChore(trx, { name, by, forMs }));
  const finish = (by: string, doneUntilMs: number) =>
    database.transaction((trx) => finishChore(trx, { name, by, doneUntilMs }));

  it('a chore that is claimed is kept by who has it, and refused to others', async () => {
    expect(await claim('one')).toBe(true);
    expect(await claim('other')).toBe(false);
    expect(await claim('one')).toBe(true);
  });

  it('a chore that is finished is left to whoever asks next', async () => {
    await claim('one');
    expect(await readDoneUntil(database, name)).toBeNull();
    await finish('one', 5);
    expect(await readDoneUntil(database, name)).toBe(5);
    expect(await claim('other')).toBe(true);
    expect(await readDoneUntil(database, name)).toBe(5);
  });

  it('a chore is finished by nobody who has lost it', async () => {
    await claim('one');
    await finish('other', 5);
    expect(await readDoneUntil(database, name)).toBeNull();
    expect(await claim('other')).toBe(false);
  });
});
