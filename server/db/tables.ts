import type { Schema } from './schema.ts';

export type TableName = keyof Schema;

interface TableShape<T extends TableName> {
  /** The primary key. */
  key: readonly (keyof Schema[T] & string)[];
  /** What holds money, so that sums can be compared. */
  amounts: readonly (keyof Schema[T] & string)[];
  /** Whether an installation that nobody has used yet may have rows here. */
  seeded: boolean;
}

/** Every table of the schema, each behind those that it refers to. */
export const tables: { readonly [T in TableName]: TableShape<T> } = {
  users: { key: ['id'], amounts: [], seeded: false },
  api_keys: { key: ['id'], amounts: [], seeded: false },
  key_budgets: {
    key: ['api_key_id'],
    amounts: ['held', 'spent', 'spent_in_month'],
    seeded: false,
  },
  passwords: { key: ['user_id'], amounts: [], seeded: false },
  sign_in_failures: { key: ['subject'], amounts: [], seeded: false },
  sessions: { key: ['id'], amounts: [], seeded: false },
  access_tokens: { key: ['id'], amounts: [], seeded: false },
  authenticators: { key: ['user_id'], amounts: [], seeded: false },
  recovery_codes: { key: ['user_id', 'hash'], amounts: [], seeded: false },
  passkeys: { key: ['id'], amounts: [], seeded: false },
  outside_identities: { key: ['issuer', 'subject'], amounts: [], seeded: false },
  invitations: { key: ['id'], amounts: ['top_up'], seeded: false },
  challenges: { key: ['hash'], amounts: [], seeded: true },
  wallets: { key: ['user_id'], amounts: ['balance', 'held'], seeded: false },
  holds: { key: ['trace_id'], amounts: ['amount', 'cost'], seeded: false },
  wallet_transactions: { key: ['id'], amounts: ['amount', 'balance_after'], seeded: false },
  payments: { key: ['id'], amounts: ['amount'], seeded: false },
  payment_reversals: {
    key: ['payment_id', 'kind', 'reference'],
    amounts: ['amount', 'deducted'],
    seeded: false,
  },
  codes: { key: ['id'], amounts: ['amount'], seeded: false },
  usage_records: { key: ['trace_id'], amounts: ['unit_price', 'cost'], seeded: false },
  usage_days: { key: ['id'], amounts: ['cost', 'refunded'], seeded: false },
  idempotency_keys: { key: ['api_key_id', 'key'], amounts: [], seeded: false },
  // The specified models, from the first migration.
  models: { key: ['id'], amounts: ['price'], seeded: true },
  prices: { key: ['model_id', 'seq'], amounts: ['amount'], seeded: false },
  upstreams: { key: ['id'], amounts: [], seeded: false },
  upstream_keys: { key: ['id'], amounts: [], seeded: false },
  upstream_models: { key: ['upstream_id', 'upstream_model'], amounts: [], seeded: false },
  upstream_checks: { key: ['upstream_id'], amounts: [], seeded: false },
  selections: { key: ['model_id', 'upstream_id', 'upstream_model'], amounts: [], seeded: false },
  settings: { key: ['name'], amounts: [], seeded: false },
  audit_entries: { key: ['id'], amounts: [], seeded: false },
  notices: { key: ['id'], amounts: ['balance', 'threshold'], seeded: false },
  // A service that only started and stopped leaves no trace but these.
  processes: { key: ['id'], amounts: [], seeded: true },
  chores: { key: ['name'], amounts: [], seeded: true },
  revisions: { key: ['topic'], amounts: [], seeded: true },
};

// Object.keys widens to string; its order is the order above.
export const tableNames = Object.keys(tables) as readonly TableName[];
