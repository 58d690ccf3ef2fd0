/** The server processes themselves: they fall only when struck, and come back. */
import type { Life } from './life.ts';
import type { Offence, Rule } from './rule.ts';

export const processRules: readonly Rule[] = [
  {
    name: 'a server ends only when it is told or killed, and stops in good order when told',
    check: ({ lives }) => ({ checked: lives.length, violations: lives.flatMap(badEnd) }),
  },
  {
    name: 'a killed server comes back',
    check: ({ lives }) => {
      const restarted = lives.filter(({ number }) => number > 1);
      const violations = restarted
        .filter(({ readyAt, blows }) => readyAt === null && blows.length === 0)
        .map((life) => ({ subject: nameOf(life), detail: 'never took a request' }));
      return { checked: restarted.length, violations };
    },
  },
  {
    name: 'no process is left, and none of its workers, once all were told to stop',
    check: ({ lives, leftBehind }) => ({
      checked: lives.length,
      violations: leftBehind.map((pid) => ({ subject: `process ${pid}`, detail: 'runs on' })),
    }),
  },
];

function badEnd(life: Life): Offence[] {
  const last = life.blows.findLast(({ kind }) => kind !== 'freeze');
  if (life.endedAt === null) return [{ subject: nameOf(life), detail: 'did not end' }];
  if (!last) return [{ subject: nameOf(life), detail: `ended by itself (code ${life.exitCode})` }];
  if (last.kind !== 'terminate' || life.exitCode === 0) return [];
  const end = life.exitSignal ?? `code ${life.exitCode}`;
  return [{ subject: nameOf(life), detail: `after SIGTERM it ended with ${end}` }];
}

function nameOf({ number, pid, server }: Life): string {
  return `server ${server}, life ${number} (process ${pid})`;
}
