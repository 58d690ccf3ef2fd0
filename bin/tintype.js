#!/usr/bin/env node
// Plain JavaScript that any Node can read: it finds a Node new enough to run Tintype, and runs it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath, pathToFileURL } from 'node:url';

const oldest = [22, 19];

/** Of a newer one nobody knows which options its V8 has, and with one that it lacks it does not start. */
const newestTried = 26;

/**
 * For a process that serves. The memory for young objects, in MiB of each half, would otherwise grow to 16
 * or 32 while the program loads and stay there; a picture's request leaves so little behind that this is as
 * fast. The next two make searches of the whole heap for garbage rare: by itself V8 searches a service that
 * does little again after 8 MB, and makes objects old from the start whose kind has once grown old while many
 * requests were under way; dead ones then keep alive, until the next search, most of the request that they
 * belonged to. The fourth leaves those searches to one thread: on a single core V8's four take four fifths of it
 * from the requests for a tenth of a second, and there is little that they could share. With the last, what a
 * compiler worked with is freed by the thread that has to free most else, or the C library keeps it for another.
 */
const serving = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  '--no-maglev-destroy-on-background',
];
/**
 * From Node 24 on. Bytes outside of the heap, which a search does not look at, count as the heap does. By
 * itself V8 searches again whenever there are 64 MB more of them, which is for every third upload of 20 MB.
 */
const servingFrom24 = '--external-memory-accounted-in-global-limit';

if (isRecentEnough(process.versions.node)) {
  beginForServing();
  endAsFirstProcess();
  rememberCompiled();
  const { main } = await import(await program());
  process.exitCode = await main(process.argv.slice(2));
} else {
  const installed = installedNode();
  if (installed) runWith(installed);
  else fail();
}

/** What `npm run build` made, if it is of these very sources; they run as they are otherwise. */
async function program() {
  const { isProgramBuilt, programFolder } = await import('./built-program.js');
  if (!isProgramBuilt()) return '../server/cli/main.ts';
  return pathToFileURL(join(programFolder, 'main.js')).href;
}

/** Halves the time to start. Where the folder cannot be written to, every start is like the first. */
function rememberCompiled() {
  const here = dirname(fileURLToPath(import.meta.url));
  module.enableCompileCache?.(join(here, '..', 'node_modules', '.cache', 'compiled'));
}

/**
 * What runs for long begins again with the options, which its workers then inherit: in the same process, so
 * that whoever sends it signals sees no difference. Without them, it runs as well.
 */
function beginForServing() {
  const [command] = process.argv.slice(2);
  const isLong = command === 'serve' || command === 'demo';
  const [node, ...args] = process.argv;
  // A parent that has a channel to it would lose that.
  const mayBegin = process.platform !== 'win32' && !process.connected && existsSync(node);
  const options = missingOptions(process.versions.node);
  if (!isLong || !mayBegin || options.length === 0) return;
  try {
    // Node 22 would begin it without any environment.
    process.execve?.(node, [node, ...process.execArgv, ...options, ...args], process.env);
  } catch {
    // It is not allowed to.
  }
}

/**
 * A container's first process is spared every signal that it does not listen to, so that without this
 * nothing would end a command there, or a service that is starting.
 */
function endAsFirstProcess() {
  if (process.pid !== 1) return;
  const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
  for (const [signal, code] of Object.entries(codes)) {
    process.on(signal, () => {
      // Whoever listens too sees to it.
      if (process.listenerCount(signal) === 1) process.exit(code);
    });
  }
}

/**
 * Without those that the operator has given, in whatever way V8 reads them.
 * @param version of the Node that gets them
 */
function missingOptions(version) {
  const [major] = version.split('.').map(Number);
  if (major > newestTried) return [];
  const options = major < 24 ? serving : [...serving, servingFrom24];
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)].map(nameOf);
  return options.filter((option) => !given.includes(nameOf(option)));
}

function nameOf(option) {
  const [name] = option.split('=');
  return name.replaceAll('_', '-').replace(/^--(no-?)?/, '');
}

function isRecentEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The Node that npm installs with the dependencies, where there is one for this machine. */
function installedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const manifest = require.resolve(`node-${system}-${process.arch}/package.json`);
    const node = join(dirname(manifest), 'bin', system === 'win' ? 'node.exe' : 'node');
    return existsSync(node) ? { node, version: require(manifest).version } : null;
  } catch {
    return null;
  }
}

function runWith({ node, version }) {
  const program = fileURLToPath(import.meta.url);
  const args = [...missingOptions(version), program, ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  const isAtTerminal = isatty(0);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  const passOn = (signal) => {
    // A key pressed at the terminal, or its end, has already reached the child: both are in its process group.
    const isFromTerminal = isAtTerminal && signal !== 'SIGTERM';
    if (!isFromTerminal) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, passOn);
  child.on('error', (error) => {
    console.error(`error: ${node} cannot be run: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const each of signals) process.off(each, passOn);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function fail() {
  console.error(
    `error: Tintype needs Node ${oldest.join('.')} or newer and this is ${process.versions.node}: ` +
      'run npm ci, which brings one along, or install a newer Node',
  );
  process.exitCode = 1;
}
