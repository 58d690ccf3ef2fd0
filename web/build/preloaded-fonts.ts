import type { Plugin } from 'vite';

/** Tells the browser of the two fonts before it has read the style sheet. */
export function preloadedFonts(): Plugin {
  return {
    name: 'tintype:preloaded-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((fileName) => fileName.endsWith('.woff2'))
          .map((fileName) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${fileName}`,
              as: 'font',
              type: 'font/woff2',
              // Fonts are fetched that way, and a preload in another way would be fetched twice.
              crossorigin: '',
            },
            injectTo: 'head',
          })),
    },
  };
}
