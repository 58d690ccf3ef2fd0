import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Smaller ones are not worth the header. */
const bytesMin = 512;

/** Puts a brotli and a gzip twin beside every file of the build that gets smaller by it. */
export function compressed(): Plugin {
  return {
    name: 'tintype:compressed',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const content = file.type === 'chunk' ? file.code : file.source;
          if (!isText(file.fileName) || content.length < bytesMin) continue;
          for (const { suffix, compress } of encodings) {
            const source = compress(Buffer.from(content));
            this.emitFile({ type: 'asset', fileName: `${file.fileName}${suffix}`, source });
          }
        }
      },
    },
  };
}

const encodings = [
  { suffix: '.gz', compress: (content: Buffer) => gzipSync(content, { level: 9 }) },
  {
    suffix: '.br',
    compress: (content: Buffer) =>
      brotliCompressSync(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
] as const;

/** Fonts and pictures are compressed already. */
function isText(fileName: string): boolean {
  return /\.(js|css|html|svg)$/.test(fileName);
}
