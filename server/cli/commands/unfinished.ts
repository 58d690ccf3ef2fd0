const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes what a command has not finished when a signal ends it meanwhile, and ends by that signal all the same:
 * what is left of a large database takes as much room as the whole.
 *
 * @param work is given what to tell how its draft is removed
 */
export async function removingUnfinished<T>(
  work: (onDraft: (remove: () => void) => void) => Promise<T>,
): Promise<T> {
  let remove = () => {};
  const leave = () => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    leave();
    try {
      remove();
    } finally {
      process.kill(process.pid, signal);
    }
  };
  for (const signal of signals) process.on(signal, end);
  try {
    return await work((given) => {
      remove = given;
    });
  } finally {
    leave();
  }
}
