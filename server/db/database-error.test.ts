import { describe, expect, it } from 'vitest';
import { isUnavailable, mayPass } from './database-error.ts';

describe('a database is unavailable', () => {
  it.each([
    ['that ended a transaction which waited for its process', '25P03'],
    ['that ended a transaction which took too long', '25P04'],
    ['that ended a connection which nobody used', '57P05'],
    ['that is shut down', '57P01'],
    ['whose disk is full', '53100'],
    ['whose disk cannot be read', '58030'],
    ['that only reads', '25006'],
  ])('%s (%s)', (_what, code) => {
    const error = Object.assign(new Error('of the database'), { code });
    expect([isUnavailable(error), mayPass(error)]).toEqual([true, true]);
  });

  it.each([
    ['that finds a row twice', '23505'],
    ['that does not understand the statement', '42601'],
    ['that had a statement before refused in this transaction', '25P02'],
  ])('not %s (%s)', (_what, code) => {
    const error = Object.assign(new Error('of the database'), { code });
    expect([isUnavailable(error), mayPass(error)]).toEqual([false, false]);
  });
});
