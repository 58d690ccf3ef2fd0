/** The free test of an upstream: whether it answers, with each of its keys. */
import type { Upstream } from '../catalog/upstream.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import type { AskedUpstream } from '../flows/ask-upstream.ts';
import { noteAnswer } from '../flows/note-answer.ts';
import {
  compareModelList,
  fetchModelList,
  type ModelListChange,
  withEachKey,
  withNamedKey,
} from '../flows/sync-upstream-models.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { type ListedModel, UpstreamError } from '../upstreams/upstream.ts';
import { describeUpstreamFailure } from './asking.ts';
import type { Cli } from './cli.ts';
import { CommandFailed } from './failure.ts';
import type { Installation } from './open.ts';
import { whileTimed } from './running-timer.ts';

/** Asks for the model list with each key, or with the one named, and says which fail. */
export async function checkUpstream(
  cli: Cli,
  installation: Installation,
  { upstream, key, json }: { upstream: string; key: string | null; json: boolean },
): Promise<void> {
  const { database } = installation;
  const found = await requireUpstream(database, upstream);
  const asked =
    key === null ? await withEachKey(database, found) : [await withNamedKey(database, found, key)];
  const checked: Checked[] = [];
  for (const each of asked) checked.push(await askForList(cli, installation, each));
  if (key === null) await noteFirst(installation, found, checked);
  const lists = checked.flatMap(({ outcome }) => ('list' in outcome ? [outcome.list] : []));
  const change = lists[0] ? await compareModelList(database, found, lists[0]) : null;
  if (json) cli.json(presentChecks(found, checked, change));
  else sayChecks(cli, found, checked, change);
  throwIfKeysFailed(found, checked);
}

/** How the model list came with one key. */
interface Checked {
  key: string | null;
  tookMs: number;
  outcome: { list: readonly ListedModel[] } | { error: UpstreamError | OperatorError };
}

async function askForList(
  { terminal }: Cli,
  { clock, upstreamAccess }: Installation,
  asked: AskedUpstream,
): Promise<Checked> {
  const key = asked.key?.name ?? null;
  const begun = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - begun);
  const what = `asking ${asked.upstream.name}${key === null ? '' : ` with the key ${key}`}`;
  try {
    const asking = fetchModelList({ clock }, upstreamAccess(), asked);
    const list = await whileTimed({ terminal, clock }, what, asking);
    return { key, tookMs: tookMs(), outcome: { list } };
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof OperatorError)) throw error;
    return { key, tookMs: tookMs(), outcome: { error } };
  }
}

/** The service's own check uses the first key. */
async function noteFirst(
  { database, clock }: Installation,
  { id: upstreamId }: Upstream,
  [first]: readonly Checked[],
): Promise<void> {
  if (!first || !('list' in first.outcome)) return;
  const answer = { upstreamId, tookMs: first.tookMs, modelsListed: first.outcome.list.length };
  await database.transaction(async (trx) => {
    await requireUpstream(trx, upstreamId);
    await noteAnswer(trx, { ...answer, nowMs: clock.now() });
  });
}

function presentChecks(
  { name }: Upstream,
  checked: readonly Checked[],
  change: ModelListChange | null,
) {
  return {
    name,
    models: change?.listed ?? null,
    added: change?.added ?? [],
    gone: change?.gone ?? [],
    keys: checked.map(({ key, tookMs, outcome }) => {
      const error = 'error' in outcome ? outcome.error : null;
      const ofUpstream = error instanceof UpstreamError ? error : null;
      return {
        name: key,
        answers: error === null,
        took_ms: tookMs,
        fault: ofUpstream?.fault ?? null,
        status: ofUpstream?.status ?? null,
        message: error?.message ?? null,
      };
    }),
  };
}

function sayChecks(
  cli: Cli,
  upstream: Upstream,
  checked: readonly Checked[],
  change: ModelListChange | null,
): void {
  for (const { key, tookMs, outcome } of checked) {
    const who = checked.length === 1 ? upstream.name : `${upstream.name} with the key ${key}`;
    if ('list' in outcome) {
      cli.say(`${who} answers: ${outcome.list.length} models in ${tookMs} ms`);
    } else if (checked.length > 1) {
      cli.say(describeTrouble({ ...upstream, name: who }, outcome.error));
    }
  }
  if (change === null || change.added.length + change.gone.length === 0) return;
  for (const upstreamModel of change.added) cli.say(`  + ${upstreamModel}`);
  for (const upstreamModel of change.gone) cli.say(`  - ${upstreamModel}`);
  const { name } = upstream;
  cli.note(`The kept list differs; take the new one over: tintype upstreams sync ${name}`);
}

function throwIfKeysFailed(upstream: Upstream, checked: readonly Checked[]): void {
  const errors = checked.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  const [error] = errors;
  if (!error) return;
  if (checked.length === 1) throw new CommandFailed(describeTrouble(upstream, error));
  throw new CommandFailed(`${errors.length} of ${checked.length} keys of ${upstream.name} failed`);
}

/** A key that does not open is no fault of the service. */
function describeTrouble(upstream: Upstream, error: UpstreamError | OperatorError): string {
  return error instanceof UpstreamError
    ? describeUpstreamFailure(upstream, error)
    : `${upstream.name} was not asked: ${error.message}`;
}
