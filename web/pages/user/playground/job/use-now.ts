import { useEffect, useState } from 'react';

const tickMs = 1_000;

/** The clock that only goes forward, once a second while it is wanted. */
export function useNow(isOn: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isOn) return undefined;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
