import { parseArgs } from 'node:util';
import { readWhole } from '../read-option.ts';
import { type Case, cases, type GatewayName, gatewayNames } from './cases.ts';

export interface Options {
  help: boolean;
  quick: boolean;
  cases: readonly Case[];
  gateways: readonly GatewayName[];
  rounds: number;
  sampleMs: number;
  warmUpMs: number;
  triesMax: number;
  write: boolean;
  json: boolean;
}

export const helpText = `npm run bench -- [options]

Measures what passing pictures on costs: nginx as a plain reverse proxy (the limit), a naive proxy that
parses JSON, the gateway of Portkey, and Tintype, billing every picture, on SQLite and on PostgreSQL. All
stand in front of the same instant upstream, another nginx, on this machine; on two cores or more the
gateway has one of its own. What each case means: docs/performance.md.

  --quick           a first look, in two minutes at most: some cases, one short round
  --cases A,B,…     cases or groups of cases (all):
${caseLines()}
  --gateways A,B,…  ${gatewayNames.join(', ')} (all)
  --rounds N        every gateway once a round; the median counts (3, quick: 1)
  --milliseconds N  length of one sample (1200, quick: 700)
  --write           put the results into docs/performance.md
  --json            print the results as JSON, and progress on standard error
  --help            this

Ends with 1 when an answer was not what the upstream sent, or the books are wrong afterwards; never
because something was slow. Takes free ports of 127.0.0.1. Needs Linux and nginx (apt-get install nginx-light).
`;

const quickCases = ['s50k', 's4m', 'sse4m', 'up4x5', 'lat50k', 'start'];
/** Of a sample, until other programs leave the machine alone. */
const triesMax = 3;
const warmUpMs = 10_000;
const quickWarmUpMs = 1_000;
const ranges = {
  rounds: { min: 1, max: 99 },
  milliseconds: { min: 1, max: 60_000 },
} as const;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      cases: { type: 'string' },
      gateways: { type: 'string', default: gatewayNames.join(',') },
      rounds: { type: 'string' },
      milliseconds: { type: 'string' },
      write: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { help, quick, write, json } = values;
  if (
    write &&
    (quick || values.cases !== undefined || values.gateways !== gatewayNames.join(','))
  ) {
    throw new Error('--write needs a whole run: without --quick, --cases and --gateways');
  }
  return {
    help,
    quick,
    cases: readCases(values.cases?.split(',') ?? (quick ? quickCases : null)),
    gateways: values.gateways.split(',').map(readGateway),
    rounds: readWhole('rounds', values.rounds ?? (quick ? '1' : '3'), ranges.rounds),
    sampleMs: readWhole(
      'milliseconds',
      values.milliseconds ?? (quick ? '700' : '1200'),
      ranges.milliseconds,
    ),
    warmUpMs: quick ? quickWarmUpMs : warmUpMs,
    triesMax: quick ? 1 : triesMax,
    write,
    json,
  };
}

function caseLines(): string {
  const groups = Map.groupBy(cases, ({ group }) => group);
  return [...groups]
    .map(([group, members]) => {
      const names = members.map(({ name }) => name);
      return `                      ${names[0] === group ? group : `${group}: ${names.join(' ')}`}`;
    })
    .join('\n');
}

function readCases(names: readonly string[] | null): readonly Case[] {
  if (names === null) return cases;
  const unknown = names.find(
    (name) => !cases.some((each) => each.name === name || each.group === name),
  );
  if (unknown !== undefined) throw new Error(`there is no case ${unknown}; --help lists them`);
  return cases.filter(({ name, group }) => names.includes(name) || names.includes(group));
}

function readGateway(text: string): GatewayName {
  const found = gatewayNames.find((name) => name === text);
  if (found === undefined)
    throw new Error(`--gateways are of ${gatewayNames.join(', ')}, not ${text}`);
  return found;
}
