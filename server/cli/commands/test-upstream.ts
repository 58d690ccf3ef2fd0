/** `tintype upstreams test`: whether an upstream answers, and on demand whether it makes pictures. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Operation } from '../../../shared/image-options.ts';
import { refuseUnlisted } from '../../flows/models/select-upstream-model.ts';
import { findAskedUpstream } from '../../flows/upstreams/asked-key.ts';
import {
  noteProbe,
  type ProbeInput,
  type ProbePlan,
  type ProbeResult,
  planProbe,
  probeUpstream,
} from '../../flows/upstreams/probe-upstream.ts';
import { fileOf } from '../../images/picture.ts';
import { must } from '../../lib/assert.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed, UsageError } from '../failure.ts';
import type { Installation } from '../open.ts';
import { whileTimed } from '../running-timer.ts';
import { checkUpstream } from './check-upstream.ts';
import { describeProbe, type PresentedProbe, presentProbe } from './present-probe.ts';

interface TestOptions {
  paid?: boolean;
  model?: string;
  yes?: boolean;
  save?: string;
  key?: string;
  reason?: string;
  json?: boolean;
}

export function addTestCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('test <upstream>')
    .description('ask for the model list, which costs nothing; with --paid, for real pictures')
    .option('--paid', 'make a picture and an edit of it, which the vendor charges you for')
    .option('--model <upstream-model>', 'with --paid: the upstream model to make them with')
    .option('--yes', 'with --paid: do not ask whether to go on')
    .option('--save <folder>', 'with --paid: keep the pictures there')
    .option(
      '--key <name>',
      'with this key only; else the free test tries each, the paid one the first',
    )
    .option('--reason <text>', 'with --paid: why, for the audit')
    .option('--json', 'print JSON')
    .action((upstream: string, options: TestOptions, command: Command) => {
      const paid = readPaid(options);
      return cli.on(command, (installation) =>
        paid
          ? probe(cli, installation, { ...paid, upstream })
          : checkUpstream(cli, installation, {
              upstream,
              key: options.key ?? null,
              json: options.json ?? false,
            }),
      );
    });
}

interface PaidOptions {
  model: string;
  yes: boolean;
  save: string | null;
  key: string | null;
  reason: string | undefined;
  json: boolean;
}

function readPaid(options: TestOptions): PaidOptions | null {
  const { paid, model, yes, save, key, reason, json } = options;
  if (!paid) {
    if (model !== undefined || yes || save !== undefined || reason !== undefined) {
      throw new UsageError('--model, --yes, --save and --reason need --paid');
    }
    return null;
  }
  if (model === undefined) throw new UsageError('--paid needs --model <upstream-model>');
  return {
    model,
    yes: yes ?? false,
    save: save ?? null,
    key: key ?? null,
    reason,
    json: json ?? false,
  };
}

async function probe(
  cli: Cli,
  { admin, database, clock, upstreamAccess }: Installation,
  options: PaidOptions & { upstream: string },
): Promise<void> {
  const { model: upstreamModel, save, key, json } = options;
  const asked = await findAskedUpstream(database, { upstream: options.upstream, key });
  const { upstream } = asked;
  await refuseUnlisted(database, { upstreamId: upstream.id, upstreamModel }, upstream.name);
  const canceled = new AbortController();
  const input = { ...asked, upstreamModel, clock, signal: canceled.signal };
  const access = upstreamAccess();
  const plan = await planProbe(access, input);
  const files = save === null ? null : planFiles(save, { plan, input });
  await agree(cli, { plan, input, yes: options.yes });
  await noteProbe(admin(options.reason), input, plan);
  const forget = cli.terminal.person?.onInterrupt(() => canceled.abort());
  const results: PresentedProbe[] = [];
  try {
    for await (const result of timed(cli, input, {
      plan,
      results: probeUpstream(access, input, plan),
    })) {
      const presented = presentProbe(result, keep(result, files));
      results.push(presented);
      if (!json) cli.say(describeProbe(presented));
    }
  } finally {
    forget?.();
  }
  if (json) cli.json({ name: upstream.name, upstream_model: upstreamModel, ...plan, results });
  throwIfFailed(plan, results, canceled.signal);
}

/** Says what it will cost, and waits for a yes unless it was given. */
async function agree(
  cli: Cli,
  { plan, input, yes }: { plan: ProbePlan; input: ProbeInput; yes: boolean },
): Promise<void> {
  if (plan.operations.length === 0) {
    throw new CommandFailed(`${input.upstreamModel} makes neither generations nor edits`);
  }
  cli.note(describePlan(plan, input));
  if (yes || (await cli.confirm('Go on?'))) return;
  if (!cli.terminal.person) throw new UsageError('this costs money: add --yes to go on');
  throw new CommandFailed(`${input.upstream.name} was not asked`);
}

function describePlan(
  { operations, quality, size: { width, height } }: ProbePlan,
  { upstream, upstreamModel }: ProbeInput,
): string {
  const count = operations.length === 1 ? '1 picture' : `${operations.length} pictures`;
  const which = operations.map((operation) => articled[operation]).join(' and ');
  return (
    `${count} (${which}) at quality ${quality}, ${width}x${height}, made by ${upstreamModel} of ` +
    `${upstream.name} at its operator’s expense; no wallet is touched.`
  );
}

const articled: Readonly<Record<Operation, string>> = {
  generation: 'a generation',
  edit: 'an edit',
};

/** The results as they come, each awaited with a running timer. */
async function* timed(
  { terminal }: Cli,
  { clock }: ProbeInput,
  { plan, results }: { plan: ProbePlan; results: AsyncGenerator<ProbeResult, void, void> },
): AsyncGenerator<ProbeResult, void, void> {
  for (const operation of plan.operations) {
    const { value } = await whileTimed({ terminal, clock }, operation, results.next());
    if (!value) return;
    yield value;
  }
}

type Files = Readonly<Record<Operation, string>>;

/** Refused before anything costs money: a file that is there stays. */
function planFiles(folder: string, { plan, input }: { plan: ProbePlan; input: ProbeInput }): Files {
  const nameOf = (operation: Operation) => join(folder, `${input.upstream.name}-${operation}.png`);
  const files = { generation: nameOf('generation'), edit: nameOf('edit') };
  const taken = plan.operations.map((operation) => files[operation]).find(existsSync);
  if (taken !== undefined) throw new UsageError(`${taken} is there already`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the folder ${folder} cannot be made: ${reason}`);
  }
  return files;
}

function keep({ operation, outcome }: ProbeResult, files: Files | null): string | null {
  if (outcome.kind === 'failed' || files === null) return null;
  const file = files[operation];
  writeFileSync(file, must(fileOf(outcome.picture.image), 'the file of a whole picture'), {
    flag: 'wx',
  });
  return file;
}

function throwIfFailed(
  { operations }: ProbePlan,
  results: readonly PresentedProbe[],
  { aborted }: AbortSignal,
): void {
  const made = results.filter((result) => result.made).length;
  if (made === operations.length) return;
  const what = `${made} of ${operations.length} pictures made`;
  throw new CommandFailed(aborted ? `canceled: ${what}` : what);
}
