/** From here on it is told: what people and computers do in turn at several machines is out of order in lists. */
export const offsetMsMax = 5_000;

/**
 * How far a machine's clock is ahead of the database's, or behind it where negative, as far as the way there and back
 * does not explain it.
 */
export function offsetOf({
  askedAt,
  answeredAt,
  databaseNow,
}: {
  askedAt: number;
  answeredAt: number;
  /** At some moment between the two. */
  databaseNow: number;
}): number {
  if (databaseNow < askedAt) return askedAt - databaseNow;
  return Math.min(0, answeredAt - databaseNow);
}
