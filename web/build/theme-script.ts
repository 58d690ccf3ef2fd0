import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const source = new URL('../theme-before-paint.js', import.meta.url);

/**
 * Puts the script that chooses the theme into the head. It is a plain one, so that nothing is
 * painted before it ran, and a file of its own, because the policy allows no inline script.
 */
export function themeScript(): Plugin {
  let isBuild = false;
  let reference = '';
  return {
    name: 'tintype:theme-script',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    buildStart() {
      if (!isBuild) return;
      const content = readFileSync(source, 'utf8');
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source: content });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const built = Object.keys(bundle ?? {}).find((name) => /\btheme-[\w-]+\.js$/.test(name));
        const src = isBuild ? `/${built}` : '/theme-before-paint.js';
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
    closeBundle() {
      if (isBuild && reference === '') throw new Error('the theme script was not built');
    },
  };
}
