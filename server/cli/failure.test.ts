import { expect, it } from 'vitest';
import { addAmounts, amountFromMicros, amountMax } from '../../shared/money.ts';
import { WorkersFailed } from '../cluster/workers-failed.ts';
import { readerGone } from '../db/database-error.ts';
import { ServiceError } from '../lib/service-error.ts';
import { describeFailure } from './failure.ts';

it('names each address of a database that none of them reaches', () => {
  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
  const error = new AggregateError([refused('::1:5432'), refused('127.0.0.1:5432')]);
  expect(describeFailure(Object.assign(error, { code: 'ECONNREFUSED' }))).toEqual({
    exitCode: 3,
    messages: [
      'the database cannot be used: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    ],
  });
});

it('says what a worker said as the worker did', () => {
  const failure = {
    exitCode: 3,
    messages: ['the database cannot be used: Connection terminated unexpectedly'],
  };
  expect(describeFailure(new WorkersFailed(failure))).toEqual(failure);
});

it('takes what the file system refuses for no bug, and one of ours for one', () => {
  const message = "EACCES: permission denied, open '/mnt/backups/today.db.part'";
  const facts = { code: 'EACCES', syscall: 'open', path: '/mnt/backups/today.db.part' };
  expect(describeFailure(Object.assign(new Error(message), facts))).toEqual({
    exitCode: 1,
    messages: [message],
  });
  expect(describeFailure(new TypeError('x is not a function')).messages).toEqual([
    expect.stringMatching(/^unexpected: TypeError: x is not a function\n {4}at /),
  ]);
});

it('takes a sum that is more than an amount can be for no bug', () => {
  const most = amountFromMicros(amountMax);
  expect.assertions(1);
  try {
    addAmounts(most, most);
  } catch (error) {
    expect(describeFailure(error).messages).toEqual([
      'what this adds up to is more than an amount can be: choose a shorter time or more filters',
    ]);
  }
});

it.each([
  "EMFILE: too many open files, open '/srv/tintype/secret.key'",
  'Worker initialization failure: EMFILE',
  'Cannot read package config /srv/tintype/package.json: too many open files.',
])('says what a process needs that may open no more files: %s', (message) => {
  expect(describeFailure(new Error(message))).toEqual({
    exitCode: 1,
    messages: [`this process may open too few files (${message}): raise ulimit -n`],
  });
});

it('says so, too, where the database cannot be read for it', () => {
  const message = 'Worker initialization failure: EMFILE';
  expect(describeFailure(readerGone(new Error(message)))).toEqual({
    exitCode: 3,
    messages: [`this process may open too few files (${message}): raise ulimit -n`],
  });
});

it.each([
  ['There is no API key key_1.', 'tintype keys list'],
  ['There is no such API key.', 'tintype keys list'],
  ['There is no charge with the trace ID tr_1.', 'tintype transactions --kind charge'],
  ['There is no payment pay_1.', 'tintype payments list'],
  ['There is no code or batch bat_1.', 'tintype codes list'],
  ['There is no invitation inv_1.', 'tintype users invitations'],
])('says where to look up what was not found: %s', (message, command) => {
  expect(describeFailure(new ServiceError('not_found', message)).messages).toEqual([
    `${message} See: ${command}`,
  ]);
});
