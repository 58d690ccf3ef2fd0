/** For `expect.poll`: long enough for a busy machine, because only what never happens takes it all. */
export const patience = { timeout: 20_000 };
