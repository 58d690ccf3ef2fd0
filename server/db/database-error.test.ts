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
    ['of which a page is damaged', 'XX001'],
    ['of which an index is damaged', 'XX002'],
    ['that only reads', '25006'],
    ['in which a table belongs to another account', '42501'],
  ])('%s (%s)', (_what, code) => {
    const error = Object.assign(new Error('of the database'), { code });
    expect([isUnavailable(error), mayPass(error)]).toEqual([true, true]);
  });

  it.each([
    ['whose socket is a file that is gone while it starts again', 'ENOENT', 'connect'],
    ['for which this process may open no more files', 'EMFILE', 'connect'],
    ['for which this machine has no more ports', 'EADDRNOTAVAIL', 'connect'],
    ['whose name server has failed', 'EAI_FAIL', 'getaddrinfo'],
  ])('%s (%s)', (_what, code, syscall) => {
    const error = Object.assign(new Error('of the network'), { code, syscall });
    const ofTwoAddresses = Object.assign(new AggregateError([error, error]), { code });
    for (const each of [error, ofTwoAddresses]) {
      expect([isUnavailable(each), mayPass(each)]).toEqual([true, true]);
    }
    expect(isUnavailable(Object.assign(error, { syscall: 'open' }))).toBe(false);
  });

  it.each([
    ['whose certificate has run out', 'certificate has expired', 'CERT_HAS_EXPIRED'],
    ['whose certificate is of another', 'Hostname does not match', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'that has no process to spare for an encrypted connection',
      'There was an error establishing an SSL connection',
      undefined,
    ],
  ])('%s (%s)', (_what, message, code) => {
    const error = Object.assign(new Error(message), { code });
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
