import { existsSync } from 'node:fs';

/** The browser that the tests drive, or why there is none. */
export function findChromium(): { path: string } | { missing: string } {
  const wanted = process.env['TINTYPE_TEST_CHROMIUM'];
  const path = [wanted, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
    .filter((each) => each !== undefined)
    .find((each) => existsSync(each));
  if (path !== undefined) return { path };
  return { missing: 'no Chromium: install it, or name one in TINTYPE_TEST_CHROMIUM' };
}
