import type { RunWatch } from '../../../server/flows/requests/runs/run-watch.ts';

/** Watches runs and makes nothing of them. */
export const noRunWatch: RunWatch = {
  onAdmit: () => {},
  onAttempts: () => {},
  onEnd: () => {},
  onRefund: () => {},
};
