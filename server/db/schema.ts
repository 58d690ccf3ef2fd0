/**
 * Row types, one block per table. The same on both engines: identifiers and JSON are text, times
 * are Unix milliseconds, amounts are micros, flags are 0 or 1; every integer is 8 bytes wide.
 */
import type { Generated } from 'kysely';
import type { RecordCode } from '../../shared/error-codes.ts';
import type { Operation } from '../../shared/image-options.ts';
import type {
  ModelRow,
  PriceRow,
  SelectionRow,
  UpstreamCheckRow,
  UpstreamKeyRow,
  UpstreamModelRow,
  UpstreamRow,
} from './catalog-schema.ts';
import type { Flag } from './flag.ts';
import type {
  AccessTokenRow,
  AuthenticatorRow,
  ChallengeRow,
  InvitationRow,
  OutsideIdentityRow,
  PasskeyRow,
  PasswordRow,
  RecoveryCodeRow,
  SessionRow,
  SignInFailureRow,
} from './identity-schema.ts';
import type { CodeRow, PaymentReversalRow, PaymentRow } from './payment-schema.ts';

export interface UserRow {
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string;
  role: 'user' | 'admin';
  /** This user's own limit of concurrent requests; null takes the installation's setting. */
  slots_max: number | null;
  created_at: number;
  disabled_at: number | null;
  /** JSON object: language, theme, time zone. */
  preferences: string;
  last_seen_at: number | null;
  /** Set when its owner opened the account and nobody has seen that the address is theirs. */
  email_unproven: Flag;
  /** When their personal data was erased: for good. */
  erased_at: number | null;
}

export interface ApiKeyRow {
  id: string;
  /** `playground` for the one that records what its owner does in the console; it has no secret. */
  kind: 'api' | 'playground';
  user_id: string;
  name: string;
  /** SHA-256 of the whole key, hex; unique. */
  hash: string;
  prefix: string;
  last_four: string;
  /** JSON list of the model IDs this key may use; null means all. */
  models: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** While it is set the key does not work; unlike a revoked one it can be enabled again. */
  disabled_at: number | null;
  /** JSON list of the addresses and ranges it may be used from; null means all. */
  addresses: string | null;
  last_used_at: number | null;
  /** The secret it had before it was rotated, until when it works beside the new one. */
  previous_hash: string | null;
  previous_until: number | null;
}

/** What an API key may spend, and what it has spent. */
export interface KeyBudgetRow {
  api_key_id: string;
  user_id: string;
  slots_max: number | null;
  spend_max: number | null;
  monthly_spend_max: number | null;
  /** IANA name of the time zone in which months begin. */
  zone: string;
  /** Number of the key's open holds. */
  in_flight: Generated<number>;
  /** Σ amounts of the key's open holds. */
  held: Generated<number>;
  /** Charges less refunds. */
  spent: Generated<number>;
  /** The latest calendar month of an admission, such as `2026-11`; null before the first. */
  month: string | null;
  /** Of `spent`, what was admitted in `month`. */
  spent_in_month: Generated<number>;
}

export interface WalletRow {
  user_id: string;
  balance: number;
  /** Σ amounts of open holds. */
  held: number;
  /** Number of open holds: the slots in use. */
  in_flight: number;
  /** Number of transactions so far; gives each its `seq`. */
  transaction_count: number;
}

export type HoldState = 'open' | 'settled' | 'released' | 'expired';

export interface HoldRow {
  trace_id: string;
  user_id: string;
  api_key_id: string;
  /** The month of the key's limits in which the request was admitted. */
  budget_month: string;
  /** The process that runs the request; its lease is the hold's lease. */
  process_id: string;
  amount: number;
  /** What was charged; null until the hold is settled. */
  cost: number | null;
  state: HoldState;
  created_at: number;
  ended_at: number | null;
  /** When the answer of a settled hold was handed to the socket; null until then. */
  delivered_at: number | null;
  /** By the database's clock: until then nobody but its process returns the charge. Null: not claimed. */
  claimed_until: number | null;
  /** When the charge of a settled hold that was never delivered was returned. */
  refunded_at: number | null;
  /** The daily total into which the usage record went; null while the record is kept. */
  pruned_into: number | null;
}

export type TransactionKind = 'top_up' | 'charge' | 'refund' | 'adjustment';

export interface WalletTransactionRow {
  id: string;
  user_id: string;
  /** 1, 2, 3 … within one wallet. */
  seq: number;
  kind: TransactionKind;
  /** Signed: charges are negative. */
  amount: number;
  balance_after: number;
  /** Of the image request, for charges and their refunds. */
  trace_id: string | null;
  actor: string;
  reason: string | null;
  created_at: number;
  /** By which whoever ordered it knows it: a second order with the same one is the same order. */
  reference: string | null;
  /** What was ordered under the reference: two kinds of order can make the same entry. */
  ordered: 'add' | 'deduct' | 'set' | null;
}

export type UsageStatus = 'running' | 'succeeded' | 'failed' | 'canceled';

export interface UsageRecordRow {
  trace_id: string;
  user_id: string;
  api_key_id: string | null;
  /** Null when the request named no model of ours. */
  model: string | null;
  operation: Operation;
  status: UsageStatus;
  code: RecordCode | null;
  /** Pictures asked for (`n`). */
  images_requested: number;
  /** Pictures delivered and charged: the request count. */
  images: number;
  unit_price: number;
  cost: number;
  stream: Flag;
  size: string | null;
  quality: string | null;
  output_format: string | null;
  started_at: number;
  ended_at: number | null;
  /** JSON list of the attempts made; null while running and for refused requests. */
  attempts: string | null;
  /**
   * JSON object: size, quality and so on as the caller asked, which those above were before they
   * told what was used. Null for what an earlier version recorded.
   */
  asked: string | null;
}

/** Usage records that are no longer kept, added up; where there was no key, model or code, ''. */
export interface UsageDayRow {
  id: number;
  /** The beginning of the day in UTC, by the requests' start. */
  day: number;
  user_id: string;
  api_key_id: string;
  model: string;
  operation: Operation;
  status: Exclude<UsageStatus, 'running'>;
  code: RecordCode | '';
  records: number;
  images: number;
  cost: number;
  /** What administrators returned of the cost. */
  refunded: number;
}

/** Work that one process does for all, piece by piece. */
export interface ChoreRow {
  name: ChoreName;
  claimed_by: string;
  /** By the database's clock; from then on another process may go on with it. */
  claimed_until: number;
  /** Everything before this moment has been dealt with. */
  done_until: number;
}

export type ChoreName = 'prune_usage' | 'prune_audit' | 'forget_ended';

export interface IdempotencyKeyRow {
  api_key_id: string;
  key: string;
  user_id: string;
  /** SHA-256 of the parsed request, hex. */
  fingerprint: string;
  trace_id: string;
  created_at: number;
  /** When somebody canceled it at another process than its own; null: nobody did. */
  canceled_at: number | null;
}

export interface SettingRow {
  name: string;
  /** JSON value. */
  value: string;
}

export interface AuditEntryRow {
  id: string;
  actor: string;
  action: string;
  subject: string;
  reason: string | null;
  /** JSON object: what changed, never a secret. */
  detail: string;
  created_at: number;
}

/** One low-balance notice on its way through one medium; one row each. */
export interface NoticeRow {
  id: string;
  user_id: string;
  kind: 'low_balance';
  medium: NoticeMedium;
  /** After the change that led below the threshold. */
  balance: number;
  threshold: number;
  /** Of the image request whose charge it was; null when an administrator took the money. */
  trace_id: string | null;
  created_at: number;
  /** Times that a process set out to send it. */
  tries: number;
  /** When it is due; while it is being sent, when another process may take it for lost. */
  next_try_at: number;
  /** Why the last try failed, in our own words. */
  failure: string | null;
  sent_at: number | null;
  given_up_at: number | null;
}

export type NoticeMedium = 'webhook' | 'email';

export interface ProcessRow {
  id: string;
  /** Machine and process-ID namespace in which `pid` means something. */
  host: string;
  pid: number;
  started_at: number;
  /** Until when the process's open holds are taken to be alive. */
  lease_until: number;
}

/** Counts the changes of what processes keep in memory, so that each notices another's change. */
export interface RevisionRow {
  topic: RevisionTopic;
  revision: number;
}

export const revisionTopics = ['accounts', 'catalog', 'settings'] as const;
export type RevisionTopic = (typeof revisionTopics)[number];

export interface Schema {
  users: UserRow;
  api_keys: ApiKeyRow;
  key_budgets: KeyBudgetRow;
  passwords: PasswordRow;
  sign_in_failures: SignInFailureRow;
  sessions: SessionRow;
  access_tokens: AccessTokenRow;
  authenticators: AuthenticatorRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  outside_identities: OutsideIdentityRow;
  invitations: InvitationRow;
  challenges: ChallengeRow;
  wallets: WalletRow;
  holds: HoldRow;
  wallet_transactions: WalletTransactionRow;
  payments: PaymentRow;
  payment_reversals: PaymentReversalRow;
  codes: CodeRow;
  usage_records: UsageRecordRow;
  usage_days: UsageDayRow;
  idempotency_keys: IdempotencyKeyRow;
  models: ModelRow;
  prices: PriceRow;
  upstreams: UpstreamRow;
  upstream_keys: UpstreamKeyRow;
  upstream_models: UpstreamModelRow;
  upstream_checks: UpstreamCheckRow;
  selections: SelectionRow;
  settings: SettingRow;
  audit_entries: AuditEntryRow;
  notices: NoticeRow;
  processes: ProcessRow;
  chores: ChoreRow;
  revisions: RevisionRow;
}
