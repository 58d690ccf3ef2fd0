import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, loadConfig, type OptionName, optionNames, optionsTable } from './config.ts';
import { type Option, showOption } from './lib/options.ts';

describe('where a value comes from', () => {
  it('takes the defaults of the table when nothing is given', () => {
    const { config, sources } = loadConfig({}, {});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: null,
      graceMs: 30_000,
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
  });

  it('prefers the command line to the environment, and that to the file', () => {
    const file = configFile(
      'TINTYPE_HOST=from-file\nTINTYPE_PORT=1\nTINTYPE_DATA_DIR=/from-file\n',
    );
    const { config, sources } = loadConfig(
      { config: file, dataDir: '/from-flag' },
      { TINTYPE_PORT: '2', TINTYPE_DATA_DIR: '/from-environment' },
    );
    expect(config).toMatchObject({ host: 'from-file', port: 2, dataDir: resolve('/from-flag') });
    expect(sources).toMatchObject({ host: 'file', port: 'environment', dataDir: 'flag' });
  });

  it('finds the file through the environment too', () => {
    const file = configFile('# how we run it\n\nexport TINTYPE_PORT="9000"\r\n');
    expect(loadConfig({}, { TINTYPE_CONFIG: file }).config.port).toBe(9000);
  });

  it('takes an empty value as not set', () => {
    expect(loadConfig({}, { TINTYPE_PORT: ' ', DATABASE_URL: '' }).config).toMatchObject({
      port: 8080,
      databaseUrl: null,
    });
  });

  it('makes the data folder absolute', () => {
    expect(loadConfig({}, { TINTYPE_DATA_DIR: 'here' }).config.dataDir).toBe(resolve('here'));
  });
});

describe('what is refused', () => {
  it('names everything wrong at once', () => {
    expect(
      problemsOf({
        TINTYPE_PORT: 'eighty',
        TINTYPE_GRACE: '30',
        TINTYPE_EDIT_BODY_MAX: '100MB',
        TINTYPE_LOG_LEVEL: 'loud',
      }),
    ).toEqual([
      'TINTYPE_PORT must be a whole number from 0 to 65535, not "eighty"',
      'TINTYPE_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
      'TINTYPE_EDIT_BODY_MAX must be a size from 1KiB to 1GiB, such as 512KiB or 100MiB, not "100MB"',
      'TINTYPE_GRACE must be a time from 0s to 10m, such as 500ms, 30s or 10m, not "30"',
    ]);
  });

  it('names the nearest option for an unknown one', () => {
    expect(problemsOf({ TINTYPE_PROT: '1' })).toEqual([
      'there is no option TINTYPE_PROT; did you mean TINTYPE_PORT? (an environment variable: correct it, or unset TINTYPE_PROT)',
    ]);
    expect(problemsOf({ TINTYPE_WALLPAPER_COLOUR: '1' })).toEqual([
      'there is no option TINTYPE_WALLPAPER_COLOUR (an environment variable: correct it, or unset TINTYPE_WALLPAPER_COLOUR)',
    ]);
  });

  it('leaves the variables of others alone', () => {
    expect(() => loadConfig({}, { PATH: '/bin', TINTYPE_TEST_ENGINES: 'sqlite' })).not.toThrow();
  });

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['TINTYPE_SECRET_KEY', 'hunter2'],
    ['TINTYPE_NOTICE_SECRET', 'hunter2'],
    ['TINTYPE_SMTP_URL', 'https://tin:hunter2@mail.example.com'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://tin:hunter2@collector.example.com'],
  ])('does not repeat the secret in %s', (variable, value) => {
    const [problem = ''] = problemsOf({ [variable]: value });
    expect(problem).toContain(`${variable} must be `);
    expect(problem).not.toContain('hunter2');
  });

  it.each([
    ['DATABASE_URL', 'postgres://u:hunter2#x@db/x'],
    ['DATABASE_URL', 'postgres://u:hunter2/x@db/x'],
    ['TINTYPE_SMTP_URL', 'smtps://u:hunter2?x@mail.example.com'],
  ])('says how a password is written into an address: %s %s', (variable, value) => {
    const written =
      'within the password # is written %23, / is %2F, ? is %3F, @ is %40 and % is %25';
    expect(problemsOf({ [variable]: value })).toContainEqual(expect.stringContaining(written));
  });

  it('refuses a file with lines that say nothing, or names that mean nothing', () => {
    const file = configFile('TINTYPE_PORT 9000\nHOST=0.0.0.0\n');
    expect(problemsOf({ TINTYPE_CONFIG: file })).toEqual([
      `${file} line 1 must be NAME=value`,
      'there is no option HOST (a line of the configuration file: correct it, or take it out)',
    ]);
  });

  it('leaves alone what others read in the same file', () => {
    const others = ['NODE_OPTIONS=--max-old-space-size=512', 'TZ=UTC', 'LD_PRELOAD=/usr/lib/a.so'];
    const proxies = ['HTTPS_PROXY=http://10.0.0.1:3128', 'no_proxy=localhost'];
    const file = configFile([...others, ...proxies, 'TINTYPE_PORT=9000', ''].join('\n'));
    expect(loadConfig({}, { TINTYPE_CONFIG: file }).config.port).toBe(9000);
  });

  it('takes nothing that Kubernetes says of a service called like us for an option', () => {
    const service = {
      TINTYPE_SERVICE_HOST: '10.0.0.7',
      TINTYPE_SERVICE_PORT: '8080',
      TINTYPE_PORT: 'tcp://10.0.0.7:8080',
      TINTYPE_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
    };
    expect(loadConfig({}, service).config.port).toBe(8080);
    expect(loadConfig({}, { ...service, TINTYPE_PORT: '9000' }).config.port).toBe(9000);
  });

  it.each([`"Example login`, `'it's'`, `"a" b`])(
    'refuses a value in a file whose quote does not end its line: %s',
    (value) => {
      const file = configFile(`TINTYPE_OIDC_NAME=${value}\nTINTYPE_MAIL_FROM="a@b.c"\n`);
      expect(problemsOf({ TINTYPE_CONFIG: file })).toContain(
        `${file} line 1 does not end with the quote of its value`,
      );
    },
  );

  it('refuses a value in a file that a # would cut short, and takes it in quotes', () => {
    const cut = configFile('TINTYPE_HOST=::\nTINTYPE_NOTICE_SECRET=0123456789abcdef#hunter2\n');
    expect(problemsOf({ TINTYPE_CONFIG: cut })).toEqual([
      `${cut} line 2 has a # in its value: put the value in quotes`,
    ]);
    const whole = configFile("TINTYPE_OIDC_NAME='C# users'\nTINTYPE_PORT=9000 # ours\n");
    const { config } = loadConfig({}, { TINTYPE_CONFIG: whole });
    expect(config).toMatchObject({ oidcName: 'C# users', port: 9000 });
  });

  it.each(['"', "'", '`'])(
    'takes for a comment what follows a # behind a space, but in %s',
    (quote) => {
      const secret = '0123456789abcdef';
      const read = (value: string) => {
        const file = configFile(`TINTYPE_NOTICE_SECRET=${value}\n`);
        return loadConfig({}, { TINTYPE_CONFIG: file }).config.noticeSecret;
      };
      expect(read(`${secret} #hunter2`)).toBe(secret);
      expect(read(`${quote}${secret} #hunter2${quote} # ours`)).toBe(`${secret} #hunter2`);
    },
  );

  it('takes a file that an editor began with a byte order mark', () => {
    const file = configFile('\uFEFFTINTYPE_PORT=9000\n');
    expect(loadConfig({}, { TINTYPE_CONFIG: file }).config.port).toBe(9000);
  });

  it('refuses a file that is not there', () => {
    expect(problemsOf({ TINTYPE_CONFIG: '/nowhere/at/all' })[0]).toMatch(
      /^the configuration file cannot be read/,
    );
  });

  it('refuses a file that is no text in one line, and a folder by its name', () => {
    const file = configFile('TINTYPE_PORT=9000\nSQLite format 3\0=\u001b[2J\nHOST=x\n');
    expect(problemsOf({ TINTYPE_CONFIG: file })).toEqual([
      `${file} is no text in UTF-8: the configuration file has lines of NAME=value`,
    ]);
    const folder = dirname(file);
    expect(problemsOf({ TINTYPE_CONFIG: folder })).toEqual([
      `the configuration file cannot be read: ${folder} is a folder`,
    ]);
  });

  it('refuses a lease that could run out between two renewals', () => {
    expect(problemsOf({ TINTYPE_LEASE: '8s' })).toEqual([
      'TINTYPE_LEASE_RENEW must be at most half of TINTYPE_LEASE',
    ]);
  });
});

describe('looks at upstreams', () => {
  it.each([
    ['0', true],
    ['0s', true],
    ['1s', true],
    ['999ms', false],
    ['24h', true],
    ['5', false],
  ])('may be %s apart: %s', (pause, isAllowed) => {
    expect(isAccepted({ TINTYPE_UPSTREAM_CHECK: pause })).toBe(isAllowed);
  });
});

describe('private hosts', () => {
  it.each([
    ['minio.internal,10.1.2.3,::1', true],
    ['10.0.0.0/8,fd00::/8', true],
    ['minio.internal:9000', false],
    ['[::1]', false],
    ['http://minio.internal', false],
    ['10.0.0.0/33', false],
  ])('may be %s: %s', (hosts, isAllowed) => {
    expect(isAccepted({ TINTYPE_IMAGE_FETCH_PRIVATE_HOSTS: hosts })).toBe(isAllowed);
  });
});

describe('mail', () => {
  it('needs a sender', () => {
    expect(problemsOf({ TINTYPE_SMTP_URL: 'smtps://mail.example.com' })).toEqual([
      'TINTYPE_MAIL_FROM must be set, because TINTYPE_SMTP_URL is',
    ]);
  });
});

describe('signing in', () => {
  const issuer = { TINTYPE_OIDC_ISSUER: 'https://login.example.com' };

  it('needs a client with an issuer', () => {
    expect(problemsOf(issuer)).toEqual([
      'TINTYPE_OIDC_CLIENT_ID must be set, because TINTYPE_OIDC_ISSUER is',
    ]);
    expect(isAccepted({ ...issuer, TINTYPE_OIDC_CLIENT_ID: 'tintype' })).toBe(true);
  });

  it.each([
    ['https://login.example.com', true],
    ['https://login.example.com/realms/main', true],
    ['http://127.0.0.1:8443', true],
    ['http://localhost:8443/realm', true],
    ['http://login.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['https://user:password@login.example.com', false],
    ['https://login.example.com/?realm=main', false],
    ['login.example.com', false],
  ])('takes %s for an issuer: %s', (url, isOne) => {
    const client = { TINTYPE_OIDC_CLIENT_ID: 'tintype', TINTYPE_OIDC_ISSUER: url };
    expect(isAccepted(client)).toBe(isOne);
  });

  it('always asks who somebody is', () => {
    expect(isAccepted({ TINTYPE_OIDC_SCOPES: 'email profile' })).toBe(false);
    expect(isAccepted({ TINTYPE_OIDC_SCOPES: 'email openid' })).toBe(true);
  });

  it('makes no first administrator by halves', () => {
    const email = { TINTYPE_ADMIN_EMAIL: 'ann@example.com' };
    const password = { TINTYPE_ADMIN_PASSWORD: 'correct horse battery' };
    const file = { TINTYPE_ADMIN_PASSWORD_FILE: '/run/secrets/password' };
    const together = ['TINTYPE_ADMIN_EMAIL and its password must be set together'];
    for (const half of [email, password, file]) expect(problemsOf(half)).toEqual(together);
    for (const both of [password, file]) expect(isAccepted({ ...email, ...both })).toBe(true);
    expect(problemsOf({ ...email, ...password, ...file })).toEqual([
      'only one of TINTYPE_ADMIN_PASSWORD and TINTYPE_ADMIN_PASSWORD_FILE may be set',
    ]);
  });

  it.each([
    [11, false],
    [12, true],
    [200, true],
    [201, false],
  ])('takes a password of %i characters: %s', (count, isTaken) => {
    const password = { TINTYPE_ADMIN_PASSWORD: '😀'.repeat(count) };
    expect(isAccepted({ TINTYPE_ADMIN_EMAIL: 'ann@example.com', ...password })).toBe(isTaken);
  });

  it('does not call a password missing that is only too short', () => {
    const environment = { TINTYPE_ADMIN_EMAIL: 'ann@example.com', TINTYPE_ADMIN_PASSWORD: 'short' };
    expect(problemsOf(environment)).toEqual([
      'TINTYPE_ADMIN_PASSWORD must be 12 to 200 characters',
    ]);
  });
});

describe('the table of options', () => {
  const withDefault = optionNames.filter((name) => shownDefault(name) !== '');

  it.each(withDefault)('writes the default of %s in a form that it reads', (name) => {
    const option: Option<unknown> = optionsTable[name];
    expect(option.type.parse(shownDefault(name))).toEqual(option.default);
  });

  it('shows a secret only as set or not set', () => {
    const { config } = loadConfig({}, { DATABASE_URL: 'postgres://u:hunter2@db/x' });
    expect(showOption(optionsTable.databaseUrl, config.databaseUrl)).toBe('set');
    expect(showOption(optionsTable.secretKey, config.secretKey)).toBe('not set');
  });
});

function shownDefault(name: OptionName): string {
  const option: Option<unknown> = optionsTable[name];
  return option.secret ? '' : showOption(option, option.default);
}

function isAccepted(environment: Record<string, string>): boolean {
  try {
    loadConfig({}, environment);
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig({}, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('nothing was refused');
}

function configFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tintype.env');
  writeFileSync(file, text);
  return file;
}
