import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The chunk of what most pages share. */
export const sharedChunk = 'shared';

/** Tells the browser of what every page needs, before it has read what asks for it. */
export function preloads(): Plugin {
  return {
    name: 'tintype:preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const shared = Object.values(bundle).filter(
          (output) => output.type === 'chunk' && output.name === sharedChunk,
        );
        const fonts = Object.keys(bundle).filter((fileName) => fileName.endsWith('.woff2'));
        return [
          ...shared.map(({ fileName }) => link({ rel: 'modulepreload', href: `/${fileName}` })),
          ...fonts.map((fileName) =>
            link({ rel: 'preload', href: `/${fileName}`, as: 'font', type: 'font/woff2' }),
          ),
        ];
      },
    },
  };
}

/** Modules and fonts are fetched with CORS, and a preload without it would be fetched twice. */
function link(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...attrs, crossorigin: '' }, injectTo: 'head' };
}
