/** Everything around the gateways for one run: the upstream, the installations, what was delivered. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringProgramUpToDate } from '../../server/build/build-program.ts';
import { must } from '../../server/lib/assert.ts';
import {
  databaseUrl,
  runSql,
  startEmbedded,
} from '../../test/support/databases/postgres-server.ts';
import { freePort } from '../../test/support/processes/free-port.ts';
import { Asks } from './asks.ts';
import { writeCannedAnswers } from './canned-answers.ts';
import { type Case, type GatewayName, type LoadCase, loadCaseOf } from './cases.ts';
import { type Child, moveTo, untilListening } from './children.ts';
import { type RunningGateway, startGateway } from './gateways.ts';
import { heldCase, startHeldUpstream } from './held-requests.ts';
import {
  checkBooks,
  type Installation,
  type InstallationPlan,
  type ServedCase,
  setUpInstallation,
} from './installation.ts';
import { startUpstream } from './nginx.ts';
import type { LoadRun } from './run-load.ts';

export type Say = (text: string) => void;

interface Plan {
  cases: readonly Case[];
  gateways: readonly GatewayName[];
  say: Say;
}

const usersMax = 16;
const tooMany = 429;

export class Bench implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tintype-bench-'));
  readonly gateways: readonly GatewayName[];
  upstreamPort = 0;
  /** Of the upstream that takes its time. */
  heldPort = 0;
  #asks: Asks | null = null;
  /** What went wrong, in words. */
  readonly failures: string[] = [];
  readonly #plan: Plan;
  readonly #delivered = new Map<GatewayName, number>();
  readonly #places = new Map<GatewayName, Pick<InstallationPlan, 'url' | 'dataDir'>>();
  readonly #installations = new Map<GatewayName, Installation>();
  readonly #helpers: Pick<Child, 'stop'>[] = [];

  private constructor(plan: Plan) {
    this.#plan = plan;
    this.gateways = plan.gateways;
    process.once('exit', () => this.#remove());
  }

  static async open(plan: Plan): Promise<Bench> {
    const bench = new Bench(plan);
    try {
      await bench.#prepare();
      return bench;
    } catch (error) {
      await bench[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const helper of this.#helpers.reverse()) await helper.stop();
    this.#remove();
  }

  /** @param extra options of Tintype for this time only */
  async start(
    name: GatewayName,
    extra: Readonly<Record<string, string>> = {},
  ): Promise<RunningGateway> {
    const { folder, upstreamPort } = this;
    const installation = this.#installations.get(name);
    const environment = { ...installation?.environment, ...extra };
    return await startGateway(name, {
      folder,
      upstreamPort,
      installation: { environment, keys: installation?.keys ?? [] },
    });
  }

  get asks(): Asks {
    return must(this.#asks, 'the requests, which are there once the bench is open');
  }

  /** Counts what a gateway delivered, and remembers the first answer of a run that is wrong. */
  note(
    name: GatewayName | 'direct',
    what: string,
    { answers, mayRefuse = false }: Pick<LoadRun, 'answers'> & { mayRefuse?: boolean },
  ): void {
    const wrong = answers.filter(({ problem }) => problem !== null);
    if (name !== 'direct') {
      const before = this.#delivered.get(name) ?? 0;
      this.#delivered.set(name, before + answers.length - wrong.length);
    }
    const bad = mayRefuse ? wrong.filter(({ status }) => status !== tooMany) : wrong;
    const [first] = bad;
    if (!first) return;
    this.failures.push(`${what}: ${bad.length} of ${answers.length} answers: ${first.problem}`);
  }

  /** After the last sample, with every gateway stopped. */
  async checkMoney(): Promise<void> {
    for (const [name, place] of this.#places) {
      const wrong = await checkBooks(place, this.#delivered.get(name) ?? 0);
      this.failures.push(...wrong.map((text) => `the books of ${name}: ${text}`));
    }
  }

  async #prepare(): Promise<void> {
    const { cases, gateways, say } = this.#plan;
    say('builds the program, unless it is built');
    await bringProgramUpToDate();
    moveTo('load');
    const loads = loadsOf(cases);
    say(`makes the pictures of ${loads.length} cases`);
    const folder = join(this.folder, 'upstream');
    mkdirSync(folder);
    const pictures = writeCannedAnswers(folder, loads);
    this.upstreamPort = await freePort();
    const upstream = startUpstream({ folder, port: this.upstreamPort }, loads);
    this.#helpers.push(upstream);
    await untilListening(this.upstreamPort, upstream, 'the upstream');
    this.#asks = new Asks(pictures, this.upstreamPort);

    const served = loads.map((load) => servedCase(load, this.upstreamPort));
    if (cases.some(({ kind }) => kind === 'held')) served.push(await this.#serveHeld());
    for (const name of gateways) {
      if (name === 'sqlite' || name === 'postgres') await this.#install(name, served);
    }
  }

  async #serveHeld(): Promise<ServedCase> {
    this.heldPort = await freePort();
    const upstream = startHeldUpstream(this.heldPort, this.folder);
    this.#helpers.push(upstream);
    await untilListening(this.heldPort, upstream, 'the slow upstream');
    return { ...heldCase, baseUrl: `http://127.0.0.1:${this.heldPort}/v1` };
  }

  async #install(name: 'sqlite' | 'postgres', served: readonly ServedCase[]): Promise<void> {
    this.#plan.say(`sets up Tintype on ${name}`);
    const dataDir = join(this.folder, name);
    mkdirSync(dataDir);
    const place = { url: name === 'postgres' ? await this.#startPostgres() : null, dataDir };
    this.#places.set(name, place);
    const plan = { ...place, served, users: usersMax };
    this.#installations.set(name, await setUpInstallation(plan));
    // The first start of a clone builds the console.
    const gateway = await this.start(name);
    await gateway.stop();
  }

  async #startPostgres(): Promise<string> {
    const server = await startEmbedded({ durable: true });
    if ('reason' in server) {
      throw new Error(
        `PostgreSQL cannot run here (${server.reason}); leave it out with --gateways`,
      );
    }
    this.#helpers.push({ stop: () => server.stop() });
    await runSql(server.url, 'create database tintype_bench');
    return databaseUrl(server.url, 'tintype_bench');
  }

  #remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The answers that the upstream has to know. */
function loadsOf(cases: readonly Case[]): readonly LoadCase[] {
  const names = cases.flatMap((each) => {
    if (each.kind === 'load') return [each.name];
    return 'load' in each ? [each.load] : [];
  });
  return [...new Set(names)].map(loadCaseOf);
}

function servedCase({ name, speaks, isJsonUpstream }: LoadCase, port: number): ServedCase {
  return {
    name,
    kind: speaks === 'responses' ? 'openai-responses' : 'openai-images',
    baseUrl: `http://127.0.0.1:${port}/${name}/v1`,
    settings: isJsonUpstream ? { edit: 'json-images' } : {},
  };
}
