/** Made once: a reason of its own for every abort, with its stack, would cost more than the rest of it. */
const over = new Error('it is over');

/** Aborts without a reason that anybody asks for: what was waited for came, or nobody waits any more. */
export function endWait(controller: AbortController): void {
  controller.abort(over);
}

/**
 * Never resolves; rejects with the signal's reason when it aborts. For races with what does not
 * heed it.
 */
export function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
