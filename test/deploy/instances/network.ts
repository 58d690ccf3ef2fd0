/** Machines of our own on this one: network namespaces on a bridge. Needs root, Linux and iproute2. */
import { execFileSync, spawnSync } from 'node:child_process';

export interface Machine {
  name: string;
  address: string;
}

/** A bridge that this machine is on too, and what hangs on it. */
export class Network {
  /** This machine's own address on it. */
  readonly address: string;
  readonly #prefix: string;
  readonly #net: string;
  readonly #names: string[] = [];

  /** Whether this machine lets us. */
  static isPossible(): boolean {
    return process.getuid?.() === 0 && spawnSync('unshare', ['--net', 'true']).status === 0;
  }

  /** @param prefix begins the names of all that is made; eight characters at most */
  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#net = `10.213.${process.pid % 256}`;
    this.address = `${this.#net}.1`;
    ip(`link add ${prefix}br type bridge`);
    ip(`addr add ${this.address}/24 dev ${prefix}br`);
    ip(`link set ${prefix}br up`);
  }

  addMachine(number: number): Machine {
    const name = `${this.#prefix}${number}`;
    const address = `${this.#net}.${10 + number}`;
    this.#names.push(name);
    ip(`netns add ${name}`);
    ip(`link add ${name}h type veth peer name eth0 netns ${name}`);
    ip(`link set ${name}h master ${this.#prefix}br up`);
    ip(`-n ${name} addr add ${address}/24 dev eth0`);
    ip(`-n ${name} link set eth0 up`);
    ip(`-n ${name} link set lo up`);
    return { name, address };
  }

  /** Whatever is sent from now on is lost, both ways; nobody is told. */
  cutOff({ name }: Machine): void {
    ip(`link set ${name}h nomaster`);
  }

  join({ name }: Machine): void {
    ip(`link set ${name}h master ${this.#prefix}br`);
  }

  close(): void {
    for (const name of this.#names) spawnSync('ip', ['netns', 'del', name]);
    spawnSync('ip', ['link', 'del', `${this.#prefix}br`]);
  }
}

function ip(words: string): void {
  execFileSync('ip', words.split(' '), { stdio: ['ignore', 'inherit', 'inherit'] });
}
