/** Two pictures that are compared. */
export interface Pair {
  /** Addresses; null until they are there. */
  url: string | null;
  otherUrl: string | null;
  /** Of the first. */
  width: number;
  height: number;
}
