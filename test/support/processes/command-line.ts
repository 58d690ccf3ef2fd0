import { main } from '../../../server/cli/main.ts';
import type { Person, Terminal } from '../../../server/cli/terminal.ts';
import type { UpstreamAccess } from '../../../server/flows/upstreams/ask-upstream.ts';
import { adapterKinds } from '../../../server/upstreams/registry.ts';
import type { DatabaseLocation } from '../databases/databases.ts';

export interface CommandResult {
  exitCode: number;
  out: string;
  err: string;
}

export interface CommandLine {
  /** Runs `tintype` with these arguments in this process. */
  run(...args: string[]): Promise<CommandResult>;
  /** As `run`, for a command that must succeed; answers with what it printed. */
  out(...args: string[]): Promise<string>;
  /** As `out`, with `--json`, read. */
  json(...args: string[]): Promise<Json>;
  /** As `run`, with something on standard input. */
  runWithInput(input: string, ...args: string[]): Promise<CommandResult>;
  /** As `runWithInput`, typed by somebody at a terminal. */
  runAtTerminal(person: Person, input: string, ...args: string[]): Promise<CommandResult>;
}

/** What a test looks into as it likes. */
export type Json = Record<string, unknown>;

/**
 * The command line of an installation whose database is at `location`, with more `options`, for
 * upstreams of the registry's kinds or of others.
 */
export function commandLine(
  { url, dataDir }: DatabaseLocation,
  options: Readonly<Record<string, string>> = {},
  kinds: UpstreamAccess['kinds'] = adapterKinds,
): CommandLine {
  const environment = {
    TINTYPE_DATA_DIR: dataDir,
    DATABASE_URL: url ?? undefined,
    // PostgreSQL needs no data folder, so no key file can be made there.
    TINTYPE_SECRET_KEY: '07'.repeat(32),
    ...options,
  };
  const runWith = async (
    { input, person }: { input: string; person: Person | null },
    args: readonly string[],
  ): Promise<CommandResult> => {
    let out = '';
    let err = '';
    const terminal: Terminal = {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      input: async () => input,
      environment,
      ...(person && { person }),
    };
    const exitCode = await main(args, terminal, kinds);
    return { exitCode, out, err };
  };
  const run = (...args: string[]) => runWith({ input: '', person: null }, args);
  const out = async (...args: string[]): Promise<string> => {
    const result = await run(...args);
    if (result.exitCode !== 0) throw new Error(`tintype ${args.join(' ')}: ${result.err}`);
    return result.out;
  };
  return {
    run,
    runWithInput: (input, ...args) => runWith({ input, person: null }, args),
    runAtTerminal: (person, input, ...args) => runWith({ input, person }, args),
    out,
    // Whatever it is, it is an object: the assertions say the rest.
    json: async (...args) => JSON.parse(await out(...args, '--json')) as Json,
  };
}
