import type { Migration } from 'kysely/migration';
import * as initial from './0001-initial.ts';
import * as upstreamKeys from './0002-upstream-keys.ts';
import * as console from './0003-console.ts';
import * as payments from './0004-payments.ts';
import * as retention from './0005-retention.ts';
import * as claims from './0006-claims.ts';
import * as oneMovement from './0007-one-movement.ts';
import * as canceledKeys from './0008-canceled-keys.ts';
import * as begunAnew from './0009-begun-anew.ts';

/** Every migration in order. Append only: a released one never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-upstream-keys': upstreamKeys,
  '0003-console': console,
  '0004-payments': payments,
  '0005-retention': retention,
  '0006-claims': claims,
  '0007-one-movement': oneMovement,
  '0008-canceled-keys': canceledKeys,
  '0009-begun-anew': begunAnew,
};
