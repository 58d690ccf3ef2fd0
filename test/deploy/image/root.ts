/**
 * A file system that begins as this machine's and keeps what is written to itself, as a container's
 * does: an overlay, entered by `chroot`. Needs root and Linux.
 */
import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export class Root {
  /** Where it begins, seen from outside. */
  readonly folder: string;
  readonly #layer: string;

  /** @param layer an empty folder for what is written */
  constructor(layer: string) {
    this.#layer = layer;
    this.folder = join(layer, 'merged');
    const [upper, work] = [join(layer, 'upper'), join(layer, 'work')];
    mkdirSync(layer);
    // An overlay cannot lie on an overlay, which is what a container has as its root.
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', layer]);
    for (const each of [upper, work, this.folder]) mkdirSync(each);
    const options = `lowerdir=/,upperdir=${upper},workdir=${work}`;
    execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, this.folder]);
    execFileSync('mount', ['-t', 'proc', 'proc', join(this.folder, 'proc')]);
    execFileSync('mount', ['--bind', '/dev', join(this.folder, 'dev')]);
  }

  /** @param path from the root of the container */
  outside(path: string): string {
    return join(this.folder, path);
  }

  /** @throws when the command fails; its output is shown */
  run(command: readonly string[], where: Where): void {
    const { status } = spawnSync('chroot', this.#words(command, where), {
      ...optionsOf(where),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`failed with ${status}: ${command.join(' ')}`);
  }

  /** What the command prints. @throws when it fails */
  read(command: readonly string[], where: Where): string {
    return execFileSync('chroot', this.#words(command, where), {
      ...optionsOf(where),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  start(command: readonly string[], where: Where) {
    return spawn('chroot', this.#words(command, where), {
      ...optionsOf(where),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  close(): void {
    for (const name of ['merged/dev', 'merged/proc', 'merged', '.']) {
      spawnSync('umount', ['--lazy', join(this.#layer, name)], { stdio: 'ignore' });
    }
  }

  #words(command: readonly string[], { user, folder }: Where): string[] {
    const identity = user === null ? [] : [`--userspec=${user}`, '--groups='];
    // `chroot` itself enters the root folder only.
    return [...identity, this.folder, 'env', `--chdir=${folder}`, ...command];
  }
}

export interface Where {
  /** Numbers of user and group, `10001:10001`; null is root. */
  user: string | null;
  folder: string;
  environment: Readonly<Record<string, string>>;
}

function optionsOf({ environment }: Where): Pick<SpawnOptions, 'env'> {
  return { env: { ...environment } };
}
