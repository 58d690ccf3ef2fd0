import { buildConsole, isBuilt, kitFolder } from '../../../web/build/build-console.ts';
import { findChromium } from './chromium.ts';

/** Before the tests in a browser: the console as it is now, and the one with all components. */
export async function setup(): Promise<void> {
  if (!isBuilt()) await buildConsole();
  const found = findChromium();
  if ('missing' in found) {
    if (process.env['CI'] === 'true') throw new Error(found.missing);
    return;
  }
  if (!isBuilt(kitFolder)) await buildConsole({ isKit: true });
}
