import { withDeadline } from '../../lib/deadline.ts';
import type { Service } from './service.ts';
import type { SdkTransport } from './transport.ts';

/** How long a service may take to hear that it should stop. */
const cancelMsMax = 5_000;

/**
 * Tells the service to stop a job that nobody waits for any more, if it can be told. Does not wait:
 * closing the connections lets this end first.
 */
export function cancelRunning(service: Service, { runningJobId }: SdkTransport): void {
  const { clock, vendor } = service;
  if (runningJobId === null || !vendor.cancel) return;
  const request = vendor.cancel(runningJobId, service);
  // What is not heard is not done: there is nobody to tell.
  void withDeadline({ clock, ms: cancelMsMax }, async (signal) => {
    const answer = await service.ask(request, { signal });
    answer.discard();
  }).catch(() => {});
}
