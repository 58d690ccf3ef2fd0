/** Says what a storm did and what it showed. */
import type { Books } from './books.ts';
import type { Try } from './client.ts';
import type { Offence } from './rule.ts';
import type { StormReport } from './storm.ts';

const offencesShownMax = 10;

export function violationsOf({ verdicts }: StormReport): string[] {
  return verdicts.flatMap(({ name, violations }) =>
    violations.map((offence) => `${name}: ${describe(offence)}`),
  );
}

export function formatReport(report: StormReport): string {
  return [...formatStorm(report), '', ...formatVerdicts(report), ''].join('\n');
}

function formatStorm({ books, quietAfterMs }: StormReport): string[] {
  const { lives, stories } = books;
  const tries = stories.flatMap((story) => story.tries);
  const held = tries.filter((each) => each.held);
  const blows = lives.flatMap((life) => life.blows);
  const waits = lives.flatMap(({ readyAt, spawnedAt }) => (readyAt ? [readyAt - spawnedAt] : []));
  return [
    `  clients   ${count(stories.length, 'errand')}, ${count(tries.length, 'request')}: ${tally(tries.map(outcomeOf))}`,
    `  pictures  ${count(held.length, 'complete answer')}, ${held.filter(({ isReplay }) => isReplay).length} of them given again`,
    `  servers   ${count(lives.length, 'process', 'processes')}, ${tally(blows.map(({ kind }) => blowNames[kind]))}; up again after ${Math.max(0, ...waits)} ms at most`,
    `  ledger    ${formatLedger(books)}`,
    `  upstream  ${tally([...books.upstream.values()].flat().map(({ event }) => event))}`,
    `  quiet     the last hold ended ${quietAfterMs} ms after the last answer`,
  ];
}

function formatLedger({ entries }: Books): string {
  const all = [...entries.values()];
  const refunds = all.flatMap((entry) =>
    entry.refunds.map(({ reason }) => `refund ${reason ?? ''}`),
  );
  const holds = all.flatMap(({ hold }) => (hold ? [`hold ${hold.state}`] : ['refused']));
  return tally([...holds, ...refunds]);
}

function formatVerdicts({ verdicts }: StormReport): string[] {
  return verdicts.flatMap(({ name, checked, violations, exceptions = [], exceptionName }) => {
    const mark = violations.length > 0 ? 'WRONG' : 'ok   ';
    const known = exceptions.length > 0 ? `; known: ${exceptions.length} ${exceptionName}` : '';
    return [
      `  ${mark} ${name} (${checked} checked${known})`,
      ...shown(violations, '        '),
      ...shown(exceptions, '        known: '),
    ];
  });
}

function shown(offences: readonly Offence[], indent: string): string[] {
  const lines = offences.slice(0, offencesShownMax).map((each) => indent + describe(each));
  const more = offences.length - lines.length;
  return more > 0 ? [...lines, `${indent}and ${more} more`] : lines;
}

function describe({ subject, detail }: Offence): string {
  return `${subject}: ${detail}`;
}

const blowNames = {
  kill: 'SIGKILL',
  double: 'SIGKILL of a double kill',
  freeze: 'SIGSTOP and SIGCONT',
  terminate: 'SIGTERM',
} as const;

function outcomeOf({ end, errorCode, held, status }: Try): string {
  if (held) return 'complete';
  if (end !== 'answered') return end;
  return status === 200 ? `stream error ${errorCode}` : `${status} ${errorCode}`;
}

function tally(words: readonly string[]): string {
  const counts = [...Map.groupBy(words, (word) => word)].map(
    ([word, all]) => [word, all.length] as const,
  );
  const sorted = counts.sort(([, a], [, b]) => b - a);
  return sorted.map(([word, times]) => `${times} × ${word}`).join(', ') || 'nothing';
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
