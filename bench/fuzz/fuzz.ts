/** The run: rounds of broken cases, a good request after each, and the books in the end. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../server/lib/assert.ts';
import { HostileUpstream } from '../../test/hostile/hostile-upstream.ts';
import { canaryWord } from '../../test/support/history/canaries.ts';
import { makePicture } from '../../test/support/pictures.ts';
import { type Random, randomFrom } from '../storm/random.ts';
import { answerBases, answerMutations } from './broken-answers.ts';
import { requestBases, requestMutations } from './broken-requests.ts';
import { checkLeftovers } from './check-leftovers.ts';
import { type FuzzCase, formatCase, planCase, smallerCases } from './fuzz-case.ts';
import { type Installation, setUpInstallation } from './installation.ts';
import type { Side } from './options.ts';
import { runCase, runGood, type World } from './run-case.ts';
import { FuzzedService } from './service.ts';

export interface FuzzOptions {
  seed: number;
  rounds: number;
  seconds: number | null;
  sides: readonly Side[];
  /** Empty; log and database go there. */
  folder: string;
  onProgress?: (progress: { round: number; cases: number; memoryBytes: number }) => void;
}

export interface FuzzReport {
  rounds: number;
  cases: number;
  /** Of all lives of the service. */
  memoryBytesPeak: number;
  findings: readonly string[];
}

const casesPerRound = 4;
/** The service with every buffer that its limits allow at once. */
const memoryBytesMax = 768 * 1024 ** 2;
/** After so many rounds the service is stopped in good order and started again. */
const roundsPerLife = 250;
const findingsMax = 10;
/** Longer than connections to upstreams and clients are kept for nothing. */
const settleMs = 20_000;
const settlePollMs = 250;
const goodModel = 'gen-image-2.5-flare';

export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const dataDir = join(options.folder, 'data');
  mkdirSync(dataDir);
  const picture = await makePicture('png', { width: 32, height: 32 });
  const upstream = await HostileUpstream.start(picture);
  const canary = canaryWord();
  try {
    const installation = await setUpInstallation(dataDir, upstream);
    const run = new Run(options, { installation, upstream, picture, prompt: `a fox ${canary}` });
    await run.live();
    const secrets = {
      prompt: canary,
      apiKey: installation.apiKey,
      credential: installation.credential,
    };
    run.findings.push(...(await checkLeftovers(options.folder, dataDir, secrets)));
    return run;
  } finally {
    await upstream.stop();
  }
}

class Run implements FuzzReport {
  rounds = 0;
  cases = 0;
  memoryBytesPeak = 0;
  readonly findings: string[] = [];
  readonly #options: FuzzOptions;
  readonly #parts: Omit<World, 'baseUrl'>;
  readonly #random: Random;
  readonly #endsAt: number;
  #models: Record<'images' | 'responses', string[]> = { images: [], responses: [] };

  constructor(options: FuzzOptions, parts: Omit<World, 'baseUrl'>) {
    this.#options = options;
    this.#parts = parts;
    this.#random = randomFrom(options.seed);
    this.#endsAt =
      options.seconds === null ? Number.POSITIVE_INFINITY : Date.now() + options.seconds * 1000;
  }

  async live(): Promise<void> {
    while (!this.#isOver) await this.#liveOnce();
  }

  get #isOver(): boolean {
    const { rounds } = this.#options;
    return (
      this.rounds >= rounds || Date.now() > this.#endsAt || this.findings.length >= findingsMax
    );
  }

  /** One life of the service, from its start to its end in good order. */
  async #liveOnce(): Promise<void> {
    const { folder } = this.#options;
    const { installation } = this.#parts;
    const service = await FuzzedService.start(
      installation.environment,
      join(folder, 'service.log'),
    );
    const world = { ...this.#parts, baseUrl: service.baseUrl };
    this.#models = modelsOf(installation);
    this.#note('at the start', await runGood(world, goodModel));
    const descriptors = await service.descriptors();
    for (let count = 0; count < roundsPerLife && !this.#isOver && !service.hasEnded; count++) {
      if (this.#models.images.length === 0 || this.#models.responses.length === 0) break;
      await this.#round(world);
      const { now, peak } = service.hasEnded ? { now: 0, peak: 0 } : await service.memory();
      this.memoryBytesPeak = Math.max(this.memoryBytesPeak, peak);
      this.#options.onProgress?.({ round: this.rounds, cases: this.cases, memoryBytes: now });
    }
    if (service.hasEnded) this.#note('the process', ['ended by itself']);
    else await this.#end(service, descriptors);
  }

  async #end(service: FuzzedService, descriptors: readonly string[]): Promise<void> {
    const left = await leftOpen(service, descriptors);
    if (left.length > 0) this.#note('left open', [left.join(', ')]);
    const { peak } = await service.memory();
    if (peak > memoryBytesMax) this.#note('memory', [`${Math.round(peak / 1024 ** 2)} MiB`]);
    const code = await service.stop();
    if (code !== 0) this.#note('the process', [`ended with ${code}`]);
  }

  async #round(world: World): Promise<void> {
    this.rounds++;
    const planned = Array.from({ length: casesPerRound }, () => {
      const fuzzed = this.#plan();
      return { fuzzed, model: this.#takeModel(fuzzed) };
    });
    const findings = await Promise.all(
      planned.map(({ fuzzed, model }) => runCase(world, fuzzed, model)),
    );
    for (const [index, { fuzzed, model }] of planned.entries()) {
      this.cases++;
      const found = findings[index] ?? [];
      if (found.length > 0) await this.#report(world, { fuzzed, model, found });
    }
    this.#note(`after round ${this.rounds}`, await runGood(world, goodModel));
    await this.#giveBack(world, planned);
  }

  #plan(): FuzzCase {
    const side = this.#random.weighted(this.#options.sides.map((each) => [1, each] as const));
    return side === 'requests'
      ? planCase(side, { bases: requestBases, names: requestMutations }, this.#random)
      : planCase(side, { bases: answerBases, names: answerMutations }, this.#random);
  }

  #takeModel({ side, base }: FuzzCase): string {
    if (side === 'requests') return goodModel;
    const models = this.#models[kindOf(base)];
    // Another case of this round may have the last of them.
    return models.shift() ?? must(this.#parts.installation.models[kindOf(base)][0], 'a model');
  }

  /** An upstream that was told to wait may rest; the others work again at once. */
  async #giveBack(
    world: World,
    planned: readonly { fuzzed: FuzzCase; model: string }[],
  ): Promise<void> {
    for (const { fuzzed, model } of planned.filter(({ fuzzed }) => fuzzed.side === 'upstreams')) {
      const found = await runGood(world, model);
      const rests = found.some((text) => /got (503|502|429)/.test(text));
      if (!rests) this.#note(`after ${formatCase(fuzzed)}`, found);
      if (!rests) this.#models[kindOf(fuzzed.base)].push(model);
    }
  }

  async #report(
    world: World,
    { fuzzed, model, found }: { fuzzed: FuzzCase; model: string; found: string[] },
  ): Promise<void> {
    let smallest = fuzzed;
    for (let shrunk = true; shrunk && smallest.mutations.length > 1; ) {
      shrunk = false;
      for (const smaller of smallerCases(smallest)) {
        if ((await runCase(world, smaller, model)).length === 0) continue;
        smallest = smaller;
        shrunk = true;
        break;
      }
    }
    this.#note(`round ${this.rounds}: ${formatCase(smallest)}`, found);
  }

  #note(where: string, found: readonly string[]): void {
    this.findings.push(...found.map((text) => `${where}: ${text}`));
  }
}

function kindOf(base: string): 'images' | 'responses' {
  return base === 'responses' ? 'responses' : 'images';
}

function modelsOf({ models }: Installation): Record<'images' | 'responses', string[]> {
  return { images: [...models.images], responses: [...models.responses] };
}

/**
 * What is open in the end and was not before. Connections that are kept for the next call close by
 * themselves.
 */
async function leftOpen(service: FuzzedService, before: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const rest = [...before];
    const more = (await service.descriptors()).filter((each) => {
      const place = rest.indexOf(each);
      if (place !== -1) rest.splice(place, 1);
      return place === -1;
    });
    if (more.length === 0 || Date.now() > deadline) return more;
    await sleep(settlePollMs);
  }
}
