import { existsSync } from 'node:fs';

/** The shell first: without a window of its own, it takes half the time. */
const installed = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** The browser that the tests drive, or why there is none. */
export function findChromium(): { path: string } | { missing: string } {
  const wanted = process.env['TINTYPE_TEST_CHROMIUM'];
  const path = [wanted, ...installed]
    .filter((each) => each !== undefined)
    .find((each) => existsSync(each));
  if (path !== undefined) return { path };
  return { missing: 'no Chromium: install it, or name one in TINTYPE_TEST_CHROMIUM' };
}
