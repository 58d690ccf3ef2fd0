import { expect as expectNow } from '@playwright/test';

/** Ends what hangs, also on a slow and busy machine; what is there is seen at once. */
const patienceMs = 20_000;

export const expect = expectNow.configure({ timeout: patienceMs });
