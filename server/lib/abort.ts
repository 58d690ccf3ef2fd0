/** Never resolves; rejects with the signal's reason when it aborts. For races with what does not heed it. */
export function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
