/** What the development server hands to the service, and what it serves itself. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { consolePrefix } from '../../server/http/console/console-path.ts';
import config from '../../vite.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const proxied = Object.keys(config.server?.proxy ?? {});

describe('npm run dev:console', () => {
  it('serves the sources of the console itself', () => {
    const addresses = globSync('web/**/*.{ts,tsx,css,js,svg}', { cwd: root }).map((file) =>
      file.slice('web'.length),
    );
    expect(addresses).toContain('/main.tsx');
    expect(addresses.filter(isHandedOn)).toEqual([]);
  });

  it.each([`${consolePrefix}/bootstrap`, '/v1/images/generations', '/openapi.json'])(
    'hands %s to the service',
    (address) => {
      expect(isHandedOn(address)).toBe(true);
    },
  );
});

/** As Vite goes by the keys of its proxy, none of which is a pattern here. */
function isHandedOn(address: string): boolean {
  return proxied.some((prefix) => address.startsWith(prefix));
}
