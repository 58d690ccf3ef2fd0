import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import {
  adapterWith,
  eventsOf,
  outcomeOf,
  start,
} from '../../../test/support/upstreams/sandbox-attempts.ts';
import { ServiceError } from '../../lib/service-error.ts';

describe('the journal', () => {
  let journal: string;

  beforeEach(() => {
    const folder = makeScratchFolder('journal');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    journal = join(folder, 'events.sandbox-journal');
  });

  const lines = () =>
    readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  test('has a line for what was asked, accepted and finished, and nothing else of the job', async () => {
    const job = { traceId: 'tr_9', pictureIndex: 3, attempt: 2, partialImages: 2 };
    await eventsOf({ ...job, prompt: 'a secret fox' }, { journal });
    const attempt = { traceId: 'tr_9', pictureIndex: 3, attempt: 2 };
    expect(lines()).toEqual([
      { event: 'asked', ...attempt },
      { event: 'accepted', ...attempt },
      { event: 'final', ...attempt },
    ]);
  });

  test('has the line before the event is seen', async () => {
    const { events } = start({}, { journal });
    await events.next();
    expect(lines()).toHaveLength(2);
    await events.next();
    expect(lines()).toHaveLength(3);
  });

  test('says of a failed attempt only what happened', async () => {
    await outcomeOf({ prompt: '[[fail=busy]]' }, { journal });
    expect(lines()).toMatchObject([{ event: 'asked' }]);
  });

  test('goes on where an earlier one ended', async () => {
    await eventsOf({}, { journal });
    await eventsOf({ traceId: 'tr_2' }, { journal });
    expect(lines()).toHaveLength(6);
  });

  test('is not written unless it is asked for', async () => {
    await eventsOf({});
    expect(existsSync(journal)).toBe(false);
  });

  test.each(['events.sandbox-journal', '/etc/passwd', '/.sandbox-journal/x', ''])(
    'is not written to %j',
    (file) => {
      expect(() => adapterWith({ journal: file })).toThrow(ServiceError);
    },
  );
});
