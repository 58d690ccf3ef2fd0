import type { Database } from '../../../server/db/db.ts';
import type { Admin } from '../../../server/flows/admin-change.ts';
import type { UpstreamAccess } from '../../../server/flows/upstreams/ask-upstream.ts';
import { must } from '../../../server/lib/assert.ts';
import { SecretBox } from '../../../server/lib/secret-box.ts';
import { adapterKinds } from '../../../server/upstreams/registry.ts';
import { type Amount, parseAmount } from '../../../shared/money.ts';
import { ManualClock } from '../manual-clock.ts';

export interface TestAdmin extends Admin {
  clock: ManualClock;
}

/** Somebody who may change everything, at a time that stands still. */
export function testAdmin(database: Database, reason: string | null = null): TestAdmin {
  return { database, clock: new ManualClock(), actor: 'cli:test', reason };
}

export function testAccess(): UpstreamAccess {
  return { kinds: adapterKinds, secretBox: new SecretBox(Buffer.alloc(32, 7)) };
}

export function amount(text: string): Amount {
  return must(parseAmount(text), `the amount ${text}`);
}
