/** What the reader and its thread say to each other. */
export interface ReaderAsk {
  id: number;
  session: number;
  /** Null ends the session. */
  sql: string | null;
  parameters: readonly unknown[];
}

export type ReaderAnswer =
  | { id: number; rows: unknown[] }
  | { id: number; failure: { message: string; code: string | null } };
