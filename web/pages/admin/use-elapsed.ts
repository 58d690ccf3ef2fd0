import { useEffect, useState } from 'react';

const tickMs = 250;

/** How long something runs, while it does; zero before it began. */
export function useElapsed(isRunning: boolean): number {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const begun = performance.now();
    setElapsed(0);
    const timer = setInterval(() => setElapsed(performance.now() - begun), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return elapsedMs;
}
