/** `npm run build`, and what the service does before it starts where the console is not built. */
import { join } from 'node:path';
import { build } from 'vite';
import { consoleFolder, kitFolder, projectRoot, replaceFolder } from './build-console.ts';
import { describeSizes } from './sizes.ts';

// React has warnings for developers built in unless it is told otherwise, whoever calls us.
process.env['NODE_ENV'] = 'production';

const isKit = process.argv.includes('--kit');
const folder = isKit ? kitFolder : consoleFolder;

await replaceFolder(folder, async (fresh) => {
  await build({
    root: join(projectRoot, 'web'),
    configFile: join(projectRoot, 'vite.config.ts'),
    mode: isKit ? 'kit' : 'production',
    logLevel: 'warn',
    build: { outDir: fresh },
  });
});
if (process.argv.includes('--sizes')) process.stdout.write(describeSizes(folder));
