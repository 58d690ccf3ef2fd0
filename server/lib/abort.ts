/** One for all: to make an error with its stack for each abort would cost more than everything else about it. */
const over = new Error('it is over');

/** Ends a wait by its controller, without a reason: what was waited for has come, or nobody waits any more. */
export function endWait(controller: AbortController): void {
  controller.abort(over);
}

/** Never resolves; rejects with the signal's reason when it aborts. For a race with work that ignores the signal. */
export function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
