import { expect, test } from 'vitest';
import { goodPassword } from '../../../test/support/console/visitor.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { interceptTransactions } from '../../../test/support/databases/intercepted-database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { must } from '../../lib/assert.ts';
import { issueSetupLink, setUpInstallation } from './set-up-installation.ts';

const clock = new ManualClock();
const linkCount = 20;

forEachEngine((engine) => {
  test('many links whose passwords are hashed at the same moment do not wait for each other in a circle', async () => {
    const database = await engine.open();
    const secrets: string[] = [];
    for (let i = 0; i < linkCount; i++) {
      secrets.push(must(await issueSetupLink({ database, clock }), 'a link: nobody is there'));
    }
    let tries = 0;
    const counting = interceptTransactions(database, { begin: () => tries++ });
    const deps = { database: counting, clock, hasher: new HasherForAll(linkCount) };
    const visitor = { userAgent: null, address: null };
    const outcomes = await Promise.allSettled(
      secrets.map((secret, i) =>
        setUpInstallation(deps, {
          secret,
          email: `a${i}@example.com`,
          password: goodPassword,
          visitor,
          language: null,
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'forbidden' });
    }
    // On PostgreSQL, one that was undone because it waited in a circle would have been tried again.
    expect(tries).toBe(linkCount);
  });
});

/** Hashes for nobody before everybody has asked. */
class HasherForAll extends PasswordHasher {
  readonly #everybody: PromiseWithResolvers<string> = Promise.withResolvers();
  #missing: number;

  constructor(expected: number) {
    super();
    this.#missing = expected;
  }

  override hash(password: string): Promise<string> {
    if (--this.#missing === 0) this.#everybody.resolve(super.hash(password));
    return this.#everybody.promise;
  }
}
