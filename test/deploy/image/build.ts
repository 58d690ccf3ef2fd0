/** Builds the stages of a Dockerfile, step by step, each in a root of its own. */
import { cpSync, existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isIgnored, type Stage, type Step } from './dockerfile.ts';
import { Root, type Where } from './root.ts';

/** A built stage, and how it is run. */
export interface Image {
  root: Root;
  where: Where;
  healthcheck: readonly string[];
  entrypoint: readonly string[];
  cmd: readonly string[];
}

export interface Context {
  /** The folder that is handed to the build. */
  folder: string;
  ignoreFile: string;
  /** For what is written. */
  scratch: string;
  /** Node that stands for the one of the base image. */
  node: string;
}

export function buildStages(stages: readonly Stage[], context: Context): readonly Image[] {
  const built = new Map<string, Root>();
  return stages.map((stage, index) => {
    const root = new Root(join(context.scratch, String(index)));
    console.log(`\n--- ${stage.name ?? 'the image'}: FROM ${stage.base}`);
    cpSync(context.node, root.outside('/usr/local/bin/node'), { dereference: true });
    if (stage.name) built.set(stage.name, root);
    return runSteps(root, stage.steps, { context, built });
  });
}

interface Parts {
  context: Context;
  built: ReadonlyMap<string, Root>;
}

function runSteps(root: Root, steps: readonly Step[], parts: Parts): Image {
  let where: Where = { user: null, folder: '/', environment: baseEnvironment() };
  const commands: Pick<Image, 'healthcheck' | 'entrypoint' | 'cmd'> = {
    healthcheck: [],
    entrypoint: [],
    cmd: [],
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'workdir':
        mkdirSync(root.outside(step.folder), { recursive: true });
        where = { ...where, folder: step.folder };
        break;
      case 'env':
        where = { ...where, environment: { ...where.environment, ...step.values } };
        break;
      case 'user':
        where = { ...where, user: step.user };
        break;
      case 'copy':
        copy(step, { root, folder: where.folder }, parts);
        break;
      case 'run':
        console.log(`RUN ${step.command}`);
        root.run(['sh', '-c', step.command], where);
        break;
      case 'healthcheck':
      case 'entrypoint':
      case 'cmd':
        commands[step.kind] = step.command;
        break;
      case 'note':
        break;
    }
  }
  return { root, where, ...commands };
}

/** What the base image has, and what says how the registry of packages is reached from here. */
function baseEnvironment(): Record<string, string> {
  const registry = Object.entries(process.env).filter(
    ([name, value]) => /^(?:npm_config_|https?_proxy$|NODE_EXTRA_CA_CERTS$)/i.test(name) && value,
  );
  return {
    ...Object.fromEntries(registry.map(([name, value]) => [name, value ?? ''])),
    // Where npm keeps what it has fetched; not part of what is copied.
    HOME: process.env['HOME'] ?? '/root',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  };
}

function copy(
  { from, sources, target }: Step & { kind: 'copy' },
  { root, folder }: { root: Root; folder: string },
  { context, built }: Parts,
): void {
  const to = root.outside(resolve(folder, target));
  const other = from === null ? null : built.get(from);
  if (from !== null && !other) throw new Error(`there is no stage called ${from}`);
  for (const source of sources) {
    const path = other ? other.outside(source) : join(context.folder, source);
    if (!existsSync(path)) throw new Error(`COPY: there is no ${source}`);
    if (other) copyTree(path, intoFolder(path, { to, target }));
    else copyContext(source, { to, target }, context);
  }
}

function copyContext(
  source: string,
  { to, target }: { to: string; target: string },
  { folder, ignoreFile }: Context,
): void {
  const path = join(folder, source);
  const names = statSync(path).isDirectory()
    ? globSync('**', { cwd: path, exclude: skipsAlways, withFileTypes: false })
    : null;
  if (!names) {
    if (isIgnored(source, ignoreFile)) throw new Error(`COPY: ${source} is in .dockerignore`);
    copyTree(path, intoFolder(path, { to, target }));
    return;
  }
  for (const name of names) {
    const within = join(source, name);
    const file = join(path, name);
    if (isIgnored(within, ignoreFile) || statSync(file).isDirectory()) continue;
    copyTree(file, join(to, name));
  }
}

/** Never wanted, and too much to walk through. */
function skipsAlways(name: string): boolean {
  return basename(name) === 'node_modules' || basename(name) === '.git';
}

/** A file goes into a target that is a folder, and a folder's contents become the target's. */
function intoFolder(path: string, { to, target }: { to: string; target: string }): string {
  const isFolder = target.endsWith('/') || target === '.';
  return isFolder && !statSync(path).isDirectory() ? join(to, basename(path)) : to;
}

function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
