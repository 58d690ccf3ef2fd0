/** Builds the service's program: a few files, which start sooner and take less memory than a thousand. */
import { writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import {
  fingerprintName,
  isProgramBuilt,
  programFingerprint,
  programFolder,
  projectRoot,
} from '../../bin/built-program.js';
import { replaceFolder } from '../../web/build/build-console.ts';

/** What is started by itself, as a process or a thread. */
const programs = [
  'server/cli/main.ts',
  'server/cli/serve/serve-worker.ts',
  'server/db/sqlite/reader-thread.ts',
].map((path) => join(projectRoot, path));

/** Packages of many small modules that every start loads. The others stay where they are. */
const builtIn =
  /^(cockatiel|commander|kysely|lru-cache|temporal-polyfill|temporal-utils|zod)(\/|$)/;

/** Builds it where the service looks for it, unless it is there and of these sources. */
export async function bringProgramUpToDate(): Promise<void> {
  if (!isProgramBuilt()) await replaceFolder(programFolder, buildProgram);
}

/** @param folder empty or missing; within the project, so that packages are found from it */
async function buildProgram(folder: string): Promise<void> {
  const builtFrom = programFingerprint();
  const bundle = await rolldown({
    input: programs,
    platform: 'node',
    external: (name) => isBuiltin(name) || (isPackage(name) && !builtIn.test(name)),
    plugins: [filesBesideSources(folder)],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[hash].js',
  });
  await bundle.close();
  writeFileSync(join(folder, fingerprintName), builtFrom);
}

function isPackage(name: string): boolean {
  return /^[@\w]/.test(name);
}

/** What a module looks for beside itself is still found beside its source, and a program is the built one. */
function filesBesideSources(folder: string): Plugin {
  const addressed = /new URL\('([^']+)', import\.meta\.url\)/g;
  // Packages are found from the built program as from its sources.
  const finder = /createRequire\(import\.meta\.url\)/g;
  return {
    name: 'files-beside-sources',
    transform: (code, id) => {
      if (!code.includes('import.meta.url')) return null;
      if (code.replace(addressed, '').replace(finder, '').includes('import.meta.url')) {
        throw new Error(`${id} would be told where it is built, not where it is`);
      }
      return code.replace(addressed, (_, address: string) => {
        const file = resolve(dirname(id), address);
        const found = programs.includes(file)
          ? `./${basename(file, '.ts')}.js`
          : relative(folder, file).split(sep).join(posix.sep);
        return `new URL('${found}', import.meta.url)`;
      });
    },
  };
}
