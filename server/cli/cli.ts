import type { Command } from 'commander';
import { type Config, type ConfigFlags, type LoadedConfig, loadConfig } from '../config.ts';
import type { UpstreamAccess } from '../flows/upstreams/ask-upstream.ts';
import { type Installation, withInstallation } from './open.ts';
import { printJson } from './output.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets from the program around it. */
export class Cli {
  readonly terminal: Terminal;
  /** The protocols that upstreams may speak. */
  readonly kinds: UpstreamAccess['kinds'];

  constructor(terminal: Terminal, kinds: UpstreamAccess['kinds']) {
    this.terminal = terminal;
    this.kinds = kinds;
  }

  /** The options in force, with what the command line says of them. */
  load(command: Command): LoadedConfig {
    return loadConfig(command.optsWithGlobals<ConfigFlags>(), this.terminal.environment);
  }

  config(command: Command): Config {
    return this.load(command).config;
  }

  /** Runs `work` on the opened database. */
  on<T>(command: Command, work: (installation: Installation) => Promise<T>): Promise<T> {
    return withInstallation(this.config(command), this.kinds, work);
  }

  say(line: string): void {
    this.terminal.out(`${line}\n`);
  }

  /** To the person, not to the program that reads the output. */
  note(line: string): void {
    this.terminal.err(`${line}\n`);
  }

  /** Asks the person at the terminal; nobody there agrees to nothing. */
  async confirm(question: string): Promise<boolean> {
    if (!this.terminal.person) return false;
    this.terminal.err(`${question} [y/N] `);
    return /^y(es)?$/i.test((await this.terminal.input()).trim());
  }

  json(document: unknown): void {
    printJson(this.terminal, document);
  }
}
