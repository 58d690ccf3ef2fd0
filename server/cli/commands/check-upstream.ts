/** The free test of an upstream at the command line. */
import type { Upstream } from '../../catalog/upstream.ts';
import type { AskedUpstream } from '../../flows/upstreams/ask-upstream.ts';
import type { ModelListChange } from '../../flows/upstreams/sync-upstream-models.ts';
import {
  type KeyTest,
  presentKeyTest,
  testUpstream,
  type UpstreamTest,
} from '../../flows/upstreams/test-upstream.ts';
import type { OperatorError } from '../../lib/operator-error.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';
import { describeUpstreamFailure } from '../asking.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed } from '../failure.ts';
import type { Installation } from '../open.ts';
import { counted } from '../output.ts';
import { whileTimed } from '../running-timer.ts';

/** Asks for the model list with each key, or with the one named, and says which fail. */
export async function checkUpstream(
  cli: Cli,
  { database, clock, upstreamAccess }: Installation,
  { upstream, key, json }: { upstream: string; key: string | null; json: boolean },
): Promise<void> {
  const access = upstreamAccess();
  const ask = (asked: AskedUpstream, test: () => Promise<KeyTest>) =>
    whileTimed({ terminal: cli.terminal, clock }, askingOf(asked), test());
  const test = await testUpstream({ database, clock, access }, { upstream, key }, ask);
  if (json) cli.json(presentTest(test));
  else sayTest(cli, test);
  throwIfKeysFailed(test);
}

function askingOf({ upstream, key }: AskedUpstream): string {
  return `asking ${upstream.name}${key === null ? '' : ` with the key ${key.name}`}`;
}

function presentTest({ upstream: { name }, keys, change }: UpstreamTest) {
  return {
    name,
    models: change?.listed ?? null,
    added: change?.added ?? [],
    gone: change?.gone ?? [],
    keys: keys.map(presentKeyTest),
  };
}

function sayTest(cli: Cli, { upstream, keys, change }: UpstreamTest): void {
  for (const { key, tookMs, outcome } of keys) {
    const who = keys.length === 1 ? upstream.name : `${upstream.name} with the key ${key}`;
    if ('list' in outcome) {
      cli.say(`${who} answers: ${counted(outcome.list.length, 'model')} in ${tookMs} ms`);
    } else if (keys.length > 1) {
      cli.say(describeTrouble({ ...upstream, name: who }, outcome.error));
    }
  }
  if (change) sayDifference(cli, upstream, change);
}

function sayDifference(cli: Cli, { name }: Upstream, { added, gone }: ModelListChange): void {
  if (added.length + gone.length === 0) return;
  for (const upstreamModel of added) cli.say(`  + ${upstreamModel}`);
  for (const upstreamModel of gone) cli.say(`  - ${upstreamModel}`);
  cli.note(`The stored list differs; to take over the new one: tintype upstreams sync ${name}`);
}

function throwIfKeysFailed({ upstream, keys }: UpstreamTest): void {
  const errors = keys.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  const [error] = errors;
  if (!error) return;
  if (keys.length === 1) throw new CommandFailed(describeTrouble(upstream, error));
  throw new CommandFailed(`${errors.length} of ${keys.length} keys of ${upstream.name} failed`);
}

/** A key that does not open is no fault of the service. */
function describeTrouble(upstream: Upstream, error: UpstreamError | OperatorError): string {
  return error instanceof UpstreamError
    ? describeUpstreamFailure(upstream, error)
    : `${upstream.name} was not asked: ${error.message}`;
}
