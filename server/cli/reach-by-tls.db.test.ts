/** What is said of a PostgreSQL whose connections are to be encrypted, and are not. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { startTlsFront } from '../../test/support/databases/tls-front.ts';
import { commandLine } from '../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { localhostCertificate } from '../../test/support/services/localhost-certificate.ts';
import { tlsTroubleOf } from '../db/postgres/tls-trouble.ts';
import { must } from '../lib/assert.ts';

forEachEngine((engine) => {
  const onlyPostgres = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite is reached by no network' },
  };

  describe('a command whose connection is to be encrypted', onlyPostgres, () => {
    let plain: URL;
    let encrypted: URL;
    let authority: string;

    beforeEach(async () => {
      plain = new URL(must(engine.locationOf(await engine.open()).url, 'an address'));
      const front = await startTlsFront(plain.href);
      onTestFinished(front.stop);
      encrypted = front.url;
      const folder = makeScratchFolder('authority');
      onTestFinished(() => rmSync(folder, { recursive: true }));
      authority = join(folder, 'authority.crt');
      writeFileSync(authority, localhostCertificate.cert);
    });

    it('works where the authority of the certificate is known, and the host is the one it names', async () => {
      encrypted.searchParams.set('sslmode', 'verify-full');
      encrypted.searchParams.set('sslrootcert', authority);
      expect(await migrate(encrypted)).toMatchObject({ exitCode: 0, err: '' });
    });

    it('is told to name the authority that nothing here knows', async () => {
      encrypted.searchParams.set('sslmode', 'verify-full');
      expect(await failure(encrypted)).toMatch(
        /^self-signed certificate; .*name the certificate of the authority that signed PostgreSQL's with sslrootcert=<file> in DATABASE_URL$/,
      );
    });

    it('is told that the certificate is of another host', async () => {
      encrypted.hostname = '127.0.0.2';
      encrypted.searchParams.set('sslmode', 'verify-full');
      encrypted.searchParams.set('sslrootcert', authority);
      expect(await failure(encrypted)).toMatch(
        /; the host in DATABASE_URL must be one that PostgreSQL's certificate names$/,
      );
    });

    it('is told which file cannot be read', async () => {
      encrypted.searchParams.set('sslrootcert', '/no/such.crt');
      expect(await failure(encrypted)).toBe(
        "ENOENT: no such file or directory, open '/no/such.crt'; check the files that DATABASE_URL names",
      );
    });

    it('is told that a file is not what it should be, without places in the sources of OpenSSL', async () => {
      encrypted.searchParams.set('sslmode', 'no-verify');
      encrypted.searchParams.set('sslcert', authority);
      writeFileSync(`${authority}.key`, 'nothing of a key');
      encrypted.searchParams.set('sslkey', `${authority}.key`);
      expect(await failure(encrypted)).toMatch(
        /^[\w ]+: [\w ]+; check the files that DATABASE_URL names$/,
      );
    });

    it('is told that the server takes none', async () => {
      plain.searchParams.set('sslmode', 'verify-full');
      expect(await failure(plain)).toBe(
        'The server does not support SSL connections; set ssl = on for PostgreSQL, or, where nobody else can listen on the way to it, take sslmode out of DATABASE_URL',
      );
    });
  });
});

it.each([
  ['the server that is over', 'CERT_HAS_EXPIRED', 'out-of-date'],
  ['this machine that is over', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'own-out-of-date'],
  ['this machine that nobody there knows', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'own-refused'],
  ['this machine that is another key’s', 'ERR_OSSL_X509_KEY_VALUES_MISMATCH', 'file'],
])('a certificate of %s is told from others', (_whose, code, trouble) => {
  expect(tlsTroubleOf(Object.assign(new Error('of OpenSSL'), { code }))).toBe(trouble);
});

it('a server that was shown no certificate is told from one that refuses the password', () => {
  const refusal = (message: string) => Object.assign(new Error(message), { code: '28000' });
  const missing = refusal('connection requires a valid client certificate');
  expect(tlsTroubleOf(missing)).toBe('own-refused');
  expect(tlsTroubleOf(refusal('password authentication failed'))).toBe(null);
});

function migrate(url: URL) {
  return commandLine({ url: url.href, dataDir: '' }).run('migrate', '--status');
}

async function failure(url: URL): Promise<string> {
  const { exitCode, out, err } = await migrate(url);
  expect({ exitCode, out }).toEqual({ exitCode: 3, out: '' });
  return must(/^error: the database cannot be reached: (.*)\n$/.exec(err)?.[1], 'a reason');
}
