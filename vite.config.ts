/** Builds the console, and serves it with live changes in front of a running service. */
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { consoleFingerprint } from './web/build/build-console.ts';
import { compressed } from './web/build/compressed.ts';
import { fileList } from './web/build/file-list.ts';
import { preloads, sharedChunk } from './web/build/preloads.ts';
import { themeScript } from './web/build/theme-script.ts';

/** Where `npm start` listens unless told otherwise. */
const service = 'http://127.0.0.1:8080';

export default defineConfig({
  root: 'web',
  publicDir: false,
  plugins: [
    react(),
    tailwind(),
    themeScript(),
    preloads(),
    compressed(),
    fileList(consoleFingerprint),
  ],
  server: {
    // Not all of /api: the sources in web/api/ have such addresses.
    proxy: { '/api/console': service, '/v1': service, '/openapi.json': service },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // What the style sheets need: `light-dark()` and nesting.
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
    rolldownOptions: {
      output: {
        // Left alone, every set of pages that share a module gets a file of its own for it: hundreds
        // of files, of which a page needs more than a browser fetches at once.
        codeSplitting: {
          groups: [
            { name: 'console', tags: ['$initial'], test: isNotTheEntry },
            {
              name: sharedChunk,
              minShareCount: 4,
              maxModuleSize: 4 * 1024,
              test: isForTheFirstPage,
            },
            { name: 'some', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
});

/** It runs as it is loaded, so it has a file of its own. */
function isNotTheEntry(id: string): boolean {
  return !/index\.html$|[\\/]main\.tsx$/.test(id);
}

/** Of several pages, requests as code are seen only after a new key is made or a part of the page is opened. */
function isForTheFirstPage(id: string): boolean {
  return !/[\\/]web[\\/](?:snippets[\\/]|pages[\\/]user[\\/]keys[\\/]key-secret\.)/.test(id);
}
