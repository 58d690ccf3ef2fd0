/**
 * Admit, settle, release: the writes that an image request makes. Each is one chain that moves its
 * money and its usage record together, so neither can be there without the other.
 */
import type { RecordCode } from '../../../shared/error-codes.ts';
import type { Operation } from '../../../shared/image-options.ts';
import {
  type Amount,
  amountFromMicros,
  multiplyAmount,
  negateAmount,
} from '../../../shared/money.ts';
import {
  freeBudget,
  spendBudget,
  type UseBudgetParams,
  useBudget,
} from '../../accounts/key-budget-store.ts';
import { type PermitParams, permitted } from '../../accounts/permit.ts';
import { defineChain } from '../../db/chain.ts';
import { isDuplicate, isMissingValue } from '../../db/database-error.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';
import { monthOf } from '../../lib/time-text.ts';
import { type NoteCrossingParams, noteCrossing } from '../../notices/notice-step.ts';
import { type ClaimKeyParams, claimKey, freeKey } from '../../usage/idempotency-store.ts';
import {
  type FailRecordParams,
  failRecord,
  type StartRecordParams,
  type SucceedRecordParams,
  startRecord,
  succeedRecord,
} from '../../usage/record-store.ts';
import type { AskedForm } from '../../usage/usage-record.ts';
import {
  type ChargeParams,
  type EndHoldParams,
  freeReserved,
  type OpenHoldParams,
  openHold,
  payReserved,
  type ReserveParams,
  recordCharge,
  releaseHold,
  reserve,
  settleHold,
  type WalletAfter,
} from '../../wallets/hold-store.ts';
import { type AdmitRefusal, whyRefused } from './why-refused.ts';

/** What an image request asks of its owner's wallet. */
export interface Admission {
  traceId: string;
  processId: string;
  userId: string;
  apiKeyId: string;
  /** In which the key's months begin. */
  keyZone: string;
  slotsMax: number;
  model: string;
  operation: Operation;
  /** Pictures asked for. */
  images: number;
  /** The model's price now; a later change does not touch this request. */
  unitPrice: Amount;
  stream: boolean;
  size: string;
  quality: string;
  outputFormat: string;
  asked: AskedForm;
  idempotency: { key: string; fingerprint: string } | null;
}

export type AdmitOutcome = { kind: 'admitted' } | AdmitRefusal;

const admitTriesMax = 5;

/** Opens the hold and the usage record if a slot and the money are free, in one atomic write. */
export async function admit(db: Db, clock: Clock, admission: Admission): Promise<AdmitOutcome> {
  const params = admitParams(admission, clock.now());
  const { idempotency } = admission;
  for (let tries = 1; ; tries++) {
    try {
      const wallet = await (idempotency
        ? db.runChain(admitWithKeyChain, {
            ...params,
            idempotencyKey: idempotency.key,
            fingerprint: idempotency.fingerprint,
          })
        : db.runChain(admitChain, params));
      if (wallet) return { kind: 'admitted' };
    } catch (error) {
      if (idempotency && isDuplicate(error)) return { kind: 'key_taken' };
      // A hold without its key's consent: the key's limits are reached.
      if (!isMissingValue(error)) throw error;
    }
    const reason = await whyRefused(db, params, idempotency?.key ?? null);
    if (reason) return reason;
    // What stood in the way went away in between; under steady load that can repeat.
    if (tries >= admitTriesMax) return { kind: 'no_slot' };
  }
}

export interface Settlement {
  traceId: string;
  /** Whose wallet pays; where it is known, the settle may share its commit with others. */
  userId?: string;
  unitPrice: Amount;
  /** Pictures delivered. */
  images: number;
  size: string;
  quality: string;
  outputFormat: string;
  /** JSON list of attempts. */
  attempts: string;
  /** The balance below which notices are written; zero writes none. */
  lowBalance: Amount;
}

/** The cost that was charged and the balance after it. */
export interface Charged {
  cost: Amount;
  balance: Amount;
}

/** Charges the delivered pictures. Null when the hold has ended already: then nothing may be sent. */
export async function settle(
  db: Db,
  clock: Clock,
  settlement: Settlement,
): Promise<Charged | null> {
  const now = clock.now();
  const cost = multiplyAmount(settlement.unitPrice, settlement.images);
  const isNoting = settlement.lowBalance > 0;
  const chain = isNoting ? settleNotingChain : settleChain;
  const wallet = await db.runChain(chain, {
    traceId: settlement.traceId,
    userId: settlement.userId ?? null,
    now,
    cost,
    charge: negateAmount(cost),
    transactionId: makeId('txn', now),
    images: settlement.images,
    size: settlement.size,
    quality: settlement.quality,
    outputFormat: settlement.outputFormat,
    attempts: settlement.attempts,
    lowBalance: settlement.lowBalance,
    webhookNoticeId: isNoting ? makeId('ntc', now) : '',
    emailNoticeId: isNoting ? makeId('ntc', now) : '',
  });
  return wallet && { cost, balance: amountFromMicros(wallet.balance) };
}

export interface Release {
  traceId: string;
  /** As of a settlement. */
  userId?: string;
  status: 'failed' | 'canceled';
  code: RecordCode;
  attempts: string;
}

/** Frees the hold without a charge. False when it had ended already. */
export async function release(
  db: Db,
  clock: Clock,
  { traceId, userId, status, code, attempts }: Release,
): Promise<boolean> {
  const params = { traceId, userId: userId ?? null, status, code, attempts, now: clock.now() };
  return (await db.runChain(releaseChain, params)) !== null;
}

type AdmitParams = ReserveParams &
  OpenHoldParams &
  StartRecordParams &
  PermitParams &
  UseBudgetParams;

const admitChain = defineChain<AdmitParams, WalletAfter>(
  'admit',
  'wallet',
  {
    wallet: reserve(permitted),
    budget: useBudget('wallet'),
    hold: openHold('wallet', 'budget'),
    record: startRecord('wallet'),
  },
  'userId',
);

const admitWithKeyChain = defineChain<AdmitParams & ClaimKeyParams, WalletAfter>(
  'admit_with_key',
  'wallet',
  {
    wallet: reserve(permitted),
    budget: useBudget('wallet'),
    hold: openHold('wallet', 'budget'),
    record: startRecord('wallet'),
    key: claimKey('wallet'),
  },
  'userId',
);

/** Whose hold it is. No write needs it; it tells which chains may share a commit. */
type OwnerParams = { userId: string | null };

type SettleParams = ChargeParams & SucceedRecordParams & NoteCrossingParams & OwnerParams;

const settleSteps = {
  hold: settleHold<SettleParams>(),
  wallet: payReserved<SettleParams>('hold'),
  budget: spendBudget<SettleParams>('hold'),
  charge: recordCharge<SettleParams>('wallet'),
  record: succeedRecord<SettleParams>('hold'),
};

const settleChain = defineChain<SettleParams, WalletAfter>(
  'settle',
  'wallet',
  settleSteps,
  'userId',
);

/**
 * The steps of notices take a tenth of a settle even if no notice is due, so they are left out where
 * none can be.
 */
const settleNotingChain = defineChain<SettleParams, WalletAfter>(
  'settle_noting',
  'wallet',
  {
    ...settleSteps,
    webhook_notice: noteCrossing('wallet', 'webhook'),
    email_notice: noteCrossing('wallet', 'email'),
  },
  'userId',
);

const releaseChain = defineChain<EndHoldParams & FailRecordParams & OwnerParams, WalletAfter>(
  'release',
  'wallet',
  {
    hold: releaseHold(),
    wallet: freeReserved('hold'),
    budget: freeBudget('hold'),
    record: failRecord('hold'),
    key: freeKey('hold'),
  },
  'userId',
);

function admitParams(admission: Admission, now: number): AdmitParams {
  return {
    traceId: admission.traceId,
    processId: admission.processId,
    userId: admission.userId,
    apiKeyId: admission.apiKeyId,
    slotsMax: admission.slotsMax,
    amount: multiplyAmount(admission.unitPrice, admission.images),
    model: admission.model,
    operation: admission.operation,
    imagesRequested: admission.images,
    unitPrice: admission.unitPrice,
    stream: admission.stream ? 1 : 0,
    size: admission.size,
    quality: admission.quality,
    outputFormat: admission.outputFormat,
    asked: JSON.stringify(admission.asked),
    month: monthOf(now, admission.keyZone),
    now,
  };
}
