import { type LookupOptions, lookup } from 'node:dns';
import { close, open } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { devNull } from 'node:os';

type Told = Parameters<LookupFunction>[2];

/**
 * Looks up each name once at a time, however many wait for it. The system looks up two names at a time, in threads, and
 * keeps them for as long as nobody answers: the calls to an upstream whose name servers are away would keep those to all
 * others waiting.
 */
export function shareLookups(
  lookUp: (host: string, options: LookupOptions, told: Told) => void,
): LookupFunction {
  const underWay = new Map<string, Told[]>();
  return (host, options, told) => {
    // Who wants addresses of one kind only waits for those.
    const wish = JSON.stringify([host, options]);
    const waiting = underWay.get(wish);
    if (waiting) {
      waiting.push(told);
      return;
    }
    const everybody = [told];
    underWay.set(wish, everybody);
    lookUp(host, options, (...answer) => {
      underWay.delete(wish);
      for (const each of everybody) each(...answer);
    });
  };
}

/** For services and proxies that the operator configured, and the addresses that answers of services lead to. */
export const sharedLookup = shareLookups((host, options, told) => {
  lookup(host, options, (error, ...found) => {
    if (error) findShortage((shortage) => told(shortage ?? error, ...found));
    else told(error, ...found);
  });
});

/**
 * Whether this process may open no more files. The system looks nothing up without one, and says then that there is
 * no such name, or an error of something else.
 */
function findShortage(told: (shortage: NodeJS.ErrnoException | null) => void): void {
  open(devNull, (error, file) => {
    if (error) told(error);
    else close(file, () => told(null));
  });
}
