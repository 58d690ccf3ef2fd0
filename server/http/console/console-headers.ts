import { consolePrefix } from './console-path.ts';

/** Whether an address belongs to the console's API, whatever there is at it. */
export function isConsoleApi(url: string): boolean {
  return url.startsWith(`${consolePrefix}/`);
}

/** On every answer of the console's API, errors included: it is for a program, and for one user. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  // What one user was shown must not be kept for another.
  'cache-control': 'no-store',
  vary: 'cookie, authorization',
  // Opened by itself, an answer is no page: nothing in it runs, and no other page shows it.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
