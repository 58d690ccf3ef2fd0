/** What is measured. Every name may stand in `--cases`, and so may the group it is in. */

export const gatewayNames = ['nginx', 'naive', 'portkey', 'sqlite', 'postgres'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** Several callers, each with one request after the other. */
export interface LoadCase {
  kind: 'load';
  group: 'answers' | 'uploads' | 'references';
  name: string;
  title: string;
  callers: number;
  /** How the upstream answers: its folder in the canned answers. */
  speaks: 'images' | 'responses' | 'edits';
  /** Length of the picture in the answer, as base64. */
  answerCharacters: number;
  /** Reference images of each request. */
  files: { count: number; bytes: number } | null;
  /** Whether the upstream takes reference images as base64 within JSON. */
  isJsonUpstream: boolean;
  gateways: readonly GatewayName[];
}

/** Requests at a fixed rate, far below what the gateway can do. */
export interface LatencyCase {
  kind: 'latency';
  group: 'latency';
  name: string;
  title: string;
  load: string;
  perSecond: number;
  /** How many samples of the usual length it takes for as many requests as a p99 needs. */
  samples: number;
}

/** Requests that wait for a slow upstream, all at once. */
export interface HeldCase {
  kind: 'held';
  group: 'in-flight';
  name: string;
  title: string;
  requests: number;
  /** Of Tintype. */
  gateways: readonly GatewayName[];
}

/** More callers than the memory budget has room for. */
export interface MemoryCase {
  kind: 'memory';
  group: 'memory';
  name: string;
  title: string;
  load: string;
  callers: number;
}

export interface SingleCase {
  kind: 'start' | 'ledger';
  group: 'start' | 'ledger';
  name: 'start' | 'ledger';
  title: string;
}

export type Case = LoadCase | LatencyCase | HeldCase | MemoryCase | SingleCase;

const all = gatewayNames;
/** Portkey 1.15.2 answers uploads and streams of the Responses API with a 500 on Node 24. */
const unlikePortkey = ['nginx', 'naive', 'sqlite', 'postgres'] as const;
/** The others hold several copies of each answer: they would measure the machine's memory. */
const passing = ['nginx', 'sqlite', 'postgres'] as const;
const megabyte = 1_000_000;
const callers = 16;

const loadCases: readonly LoadCase[] = [
  answer('s50k', '50 KB answer', { answerCharacters: 50_000 }),
  answer('s1m', '1 MB answer', { answerCharacters: megabyte }),
  answer('s4m', '4 MB answer', { answerCharacters: 4 * megabyte }),
  answer('s16m', '16 MB answer', {
    answerCharacters: 16 * megabyte,
    gateways: unlikePortkey,
  }),
  answer('s64m', '64 MB answer, 4 callers', {
    answerCharacters: 64 * megabyte,
    callers: 4,
    gateways: passing,
  }),
  answer('sse4m', 'stream, two partial images and 4 MB', {
    speaks: 'responses',
    answerCharacters: 4 * megabyte,
    gateways: unlikePortkey,
  }),
  upload('up4x5', 'upload of 4 × 5 MB', { count: 4, bytes: 5 * megabyte }),
  upload('up1x20', 'upload of 1 × 20 MB', { count: 1, bytes: 20 * megabyte }),
  toJson(upload('up4x5json', 'upload of 4 × 5 MB, to base64', { count: 4, bytes: 5 * megabyte })),
  toJson(
    upload('up1x20json', 'upload of 1 × 20 MB, to base64', { count: 1, bytes: 20 * megabyte }),
  ),
  ...[1, 4, 16].map((count) => references(count)),
];

export const cases: readonly Case[] = [
  ...loadCases,
  latency('lat50k', '50 KB answer at 150/s', { load: 's50k', perSecond: 150, samples: 3 }),
  latency('lat4m', '4 MB answer at 5/s', { load: 's4m', perSecond: 5, samples: 5 }),
  ...[500, 2_000, 8_000].map(
    (requests): HeldCase => ({
      kind: 'held',
      group: 'in-flight',
      name: `held${requests}`,
      title: `${requests} requests in flight`,
      requests,
      gateways: requests < 1_000 ? ['sqlite'] : ['sqlite', 'postgres'],
    }),
  ),
  memory('memory-in', 'uploads beyond the budget', { load: 'up1x20', callers: 24 }),
  memory('memory-out', 'answers beyond the budget', { load: 's16m', callers: 24 }),
  { kind: 'start', group: 'start', name: 'start', title: 'start and rest' },
  { kind: 'ledger', group: 'ledger', name: 'ledger', title: 'admits and settles' },
];

export function loadCaseOf(name: string): LoadCase {
  const found = loadCases.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
}

function answer(
  name: string,
  title: string,
  given: Pick<LoadCase, 'answerCharacters'> & Partial<LoadCase>,
): LoadCase {
  return {
    kind: 'load',
    group: 'answers',
    name,
    title,
    callers,
    speaks: 'images',
    files: null,
    isJsonUpstream: false,
    gateways: all,
    ...given,
  };
}

function upload(name: string, title: string, files: LoadCase['files']): LoadCase {
  return answer(name, title, {
    group: 'uploads',
    speaks: 'edits',
    answerCharacters: 50_000,
    files,
    gateways: unlikePortkey,
  });
}

function toJson(given: LoadCase): LoadCase {
  return { ...given, isJsonUpstream: true };
}

function references(count: number): LoadCase {
  const title = `${count} reference images of 20 MB, 2 callers`;
  const files = { count, bytes: 20 * megabyte };
  return {
    ...upload(`refs${count}`, title, files),
    group: 'references',
    callers: 2,
    gateways: passing,
  };
}

function latency(
  name: string,
  title: string,
  rate: Pick<LatencyCase, 'load' | 'perSecond' | 'samples'>,
): LatencyCase {
  return { kind: 'latency', group: 'latency', name, title, ...rate };
}

function memory(
  name: string,
  title: string,
  given: Pick<MemoryCase, 'load' | 'callers'>,
): MemoryCase {
  return { kind: 'memory', group: 'memory', name, title, ...given };
}
