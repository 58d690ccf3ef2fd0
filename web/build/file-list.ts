import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Beside the built files: which they are, and what they were built from. */
export const fileListName = 'files.json';

export interface FileList {
  fingerprint: string;
  /** From the folder of the build; the compressed twins among them. */
  files: readonly string[];
  /** Addresses of pages that only this build has. */
  extraPages: readonly string[];
}

/** Writes down what was built. The server serves these files and no others. */
export function fileList(fingerprint: () => string): Plugin {
  let extraPages: readonly string[] = [];
  return {
    name: 'tintype:file-list',
    apply: 'build',
    enforce: 'post',
    configResolved({ mode }) {
      if (mode === 'kit') extraPages = ['/_kit'];
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir = '' }, bundle) {
        const files = Object.keys(bundle)
          .filter((name) => !name.startsWith('.'))
          .sort();
        const list: FileList = { fingerprint: fingerprint(), files, extraPages };
        writeFileSync(join(dir, fileListName), `${JSON.stringify(list, null, 2)}\n`);
      },
    },
  };
}
