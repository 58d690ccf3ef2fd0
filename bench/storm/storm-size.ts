export interface StormSize {
  seed: number;
  /** Errands: what clients want. Their retries come on top. */
  requests: number;
  /** Blows at server processes. */
  kills: number;
  /** How long errands go on starting and blows falling. */
  seconds: number;
  /** Server processes side by side. */
  servers: number;
}
