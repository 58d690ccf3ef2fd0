/** Builds the console, and serves it with live changes in front of a running service. */
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './web/build/compressed.ts';
import { fileList } from './web/build/file-list.ts';
import { fingerprint } from './web/build/fingerprint.ts';
import { preloadedFonts } from './web/build/preloaded-fonts.ts';
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
    preloadedFonts(),
    compressed(),
    fileList(() => fingerprint(import.meta.dirname)),
  ],
  server: {
    proxy: { '/api': service, '/v1': service, '/openapi.json': service },
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
  },
});
