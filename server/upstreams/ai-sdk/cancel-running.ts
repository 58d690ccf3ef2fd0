import type { Service } from './service.ts';
import type { SdkTransport } from './transport.ts';

/** How long a service may take to hear that it should stop. */
const cancelMsMax = 5_000;

/**
 * Tells the service to stop a job that nobody waits for any more, if it can be told. Does not wait:
 * closing the connections lets this end first.
 */
export function cancelRunning(service: Service, { runningJobId }: SdkTransport): void {
  const { vendor } = service;
  if (runningJobId === null || !vendor.cancel) return;
  const request = vendor.cancel(runningJobId, service);
  // What is not heard is not done: there is nobody to tell.
  void withinLimit(service, async (signal) => {
    const answer = await service.ask(request, { signal });
    answer.discard();
  }).catch(() => {});
}

async function withinLimit(
  { clock }: Service,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const late = new AbortController();
  const ended = new AbortController();
  const limit = clock.sleep(cancelMsMax, ended.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    await work(late.signal);
  } finally {
    ended.abort();
    await limit;
  }
}
