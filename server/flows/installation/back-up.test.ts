import {
  chmodSync,
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  contentsOf,
  type EmbeddedInstallation,
  makeHistory,
  openEmbedded,
} from '../../../test/support/history/installation.ts';
import { asNobody } from '../../../test/support/processes/as-nobody.ts';
import type { Database } from '../../db/db.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import { type Backup, backUp } from './back-up.ts';

let source: EmbeddedInstallation;
let folder: string;
let file: string;

beforeEach(async () => {
  source = await openEmbedded();
  folder = join(source.dataDir, 'backups');
  mkdirSync(folder);
  file = join(folder, 'today.db');
});

describe('a backup', () => {
  it('is one file that holds everything, for its owner only', async () => {
    await makeHistory(source.database);
    const { bytes } = await make();
    expect(readdirSync(folder)).toEqual(['today.db']);
    expect(statSync(file).size).toBe(bytes);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await contentsOf(open(file))).toEqual(await contentsOf(source.database));
  });

  it('needs no log beside it, so it can be read where nothing can be written', async () => {
    await make();
    // The file format's versions for writing and reading: 1 is a plain file, 2 one with a log.
    expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
  });

  it('is the state of one moment, and comes to its end, while others write', async () => {
    await makeLarge(source.database);
    const before = await contentsOf(source.database);
    const other = new Sqlite(source.file);
    const write = other.prepare("insert into settings values ('later ' || random(), '1')");
    let writes = 0;
    await make({
      onProgress: ({ step }) => {
        if (step === 'copy') writes += write.run().changes;
      },
    });
    other.close();
    expect(writes).toBeGreaterThan(2);
    expect(await contentsOf(open(file))).toEqual(before);
    const { settings = [] } = await contentsOf(source.database);
    expect(settings.filter((row) => row.includes('later'))).toHaveLength(writes);
  });

  it('is whole under a name that begins with a space', async () => {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
    file = ' today.db';
    await make();
    expect(readdirSync(folder)).toEqual([' today.db']);
    expect(await contentsOf(open(join(folder, file)))).toEqual(await contentsOf(source.database));
  });

  it('says how far it is', async () => {
    await makeLarge(source.database);
    const parts: number[] = [];
    await make({ onProgress: ({ step, part }) => void (step === 'copy' && parts.push(part)) });
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.every((part) => part >= 0 && part <= 1)).toBe(true);
  });

  it('says how what is not finished is removed', async () => {
    let remove = () => {};
    let left: string[] | null = null;
    const onProgress = () => {
      remove();
      left = readdirSync(folder);
      throw new Error('somebody ends it');
    };
    const ended = make({ onDraft: (given) => (remove = given), onProgress });
    await expect(ended).rejects.toThrow('somebody ends it');
    expect(left).toEqual([]);
  });

  it('holds what a crashed service had only in its log', async () => {
    await makeHistory(source.database);
    const crashed = join(folder, 'crashed');
    mkdirSync(crashed);
    for (const suffix of ['', '-wal']) {
      copyFileSync(`${source.file}${suffix}`, join(crashed, `tintype.db${suffix}`));
    }
    expect(statSync(join(crashed, 'tintype.db-wal')).size).toBeGreaterThan(0);
    await make({ dataDir: crashed });
    expect(await contentsOf(open(file))).toEqual(await contentsOf(source.database));
  });
});

describe('a file that is there', () => {
  it('stays, unless it may be overwritten', async () => {
    writeFileSync(file, 'yesterday');
    await expect(make()).rejects.toThrow('is there already: name another file, or add --force');
    expect(readFileSync(file, 'utf8')).toBe('yesterday');
    await make({ overwrite: true });
    expect(readdirSync(folder)).toEqual(['today.db']);
    expect(await contentsOf(open(file))).toEqual(await contentsOf(source.database));
  });

  it.each<[string, (name: string) => void]>([
    ['under its own name', () => (file = source.file)],
    ['under another name', (name) => linkSync(source.file, name)],
    ['through a link', (name) => symlinkSync(source.file, name)],
  ])('is never the database itself, %s', async (_how, arrange) => {
    arrange(file);
    await expect(make({ overwrite: true })).rejects.toThrow('is the database itself');
  });

  it.each(['tintype.db-wal', 'tintype.db-shm', 'tintype.db-journal', 'secret.key'])(
    'is never what lies beside the database as %s, were it there or not',
    async (name) => {
      const before = readdirSync(source.dataDir);
      file = join(folder, '..', name);
      await expect(make({ overwrite: true })).rejects.toThrow('belongs to the installation itself');
      expect(readdirSync(source.dataDir)).toEqual(before);
    },
  );

  it('is no folder', async () => {
    mkdirSync(file);
    await expect(make({ overwrite: true })).rejects.toThrow('is not a file');
  });
});

describe('is refused', () => {
  it.each(['', '/nowhere/'])('under a name that is none: "%s"', async (name) => {
    file = name;
    await expect(make()).rejects.toThrow(`"${name}" is not the name of a file`);
  });

  it('under a name that no restore could open', async () => {
    file = join(folder, 'today.db ');
    await expect(make()).rejects.toThrow(/today\.db " ends in white space/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('into a folder that is not there', async () => {
    file = join(folder, 'nowhere', 'today.db');
    await expect(make()).rejects.toThrow(`there is no folder ${join(folder, 'nowhere')}`);
  });

  it('of a damaged database, and leaves the older backup', async () => {
    await makeLarge(source.database);
    await source.database.close();
    scribble(source.file);
    writeFileSync(file, 'yesterday');
    await expect(make({ overwrite: true })).rejects.toThrow(/is damaged, so no backup was made/);
    expect(readdirSync(folder)).toEqual(['today.db']);
    expect(readFileSync(file, 'utf8')).toBe('yesterday');
  });

  it.each<[string, string]>([
    ['that was emptied', ''],
    ['of another program', 'create table migrations (id int); create table users (id int)'],
  ])('of a database %s, and leaves the older backup', async (_whose, ddl) => {
    await source.database.close();
    truncateSync(source.file);
    new Sqlite(source.file).exec(ddl).close();
    writeFileSync(file, 'yesterday');
    await expect(make({ overwrite: true })).rejects.toThrow(
      `${source.file} holds no installation, so no backup was made: keep the backups you have`,
    );
    expect(readdirSync(folder)).toEqual(['today.db']);
    expect(readFileSync(file, 'utf8')).toBe('yesterday');
  });

  it('where SQLite may make no file beside the database, and says what does instead', async () => {
    await makeHistory(source.database);
    await source.database.close();
    for (const [path, mode] of [
      [folder, 0o777],
      [source.file, 0o444],
      [source.dataDir, 0o555],
    ] as const)
      chmodSync(path, mode);
    await expect(asNobody(() => make())).rejects.toThrow(
      `${source.file} cannot be copied to ${file}: attempt to write a readonly database; no backup was made. ` +
        `Where nothing can be written to ${source.dataDir} and nothing uses it, copy the file itself, with its -wal if there is one`,
    );
    chmodSync(source.dataDir, 0o755);
    copyFileSync(source.file, file);
    expect(await contentsOf(open(file))).toEqual(await contentsOf(open(source.file)));
  });

  it('of what cannot be copied, and names both files', async () => {
    await source.database.close();
    writeFileSync(source.file, 'text '.repeat(1_000));
    await expect(make()).rejects.toThrow(
      `${source.file} cannot be copied to ${file}: file is not a database; no backup was made`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

function make(changes: Partial<Backup> = {}) {
  const { dataDir } = source;
  return backUp({ dataDir, file, overwrite: false, onProgress: () => {}, ...changes });
}

function open(path: string): Database {
  const database = openSqlite(path);
  onTestFinished(() => database.close());
  return database;
}

/** About ten megabytes: more than one step copies. */
async function makeLarge(database: Database): Promise<void> {
  const { userId } = await makeHistory(database);
  await database.transaction(async (trx) => {
    for (let i = 0; i < 1_000; i++) {
      await trx.kysely
        .insertInto('api_keys')
        .values({
          id: `key_${i}`,
          user_id: userId,
          name: 'x'.repeat(10_000),
          hash: String(i),
          prefix: 'tin',
          last_four: 'abcd',
          kind: 'api',
          created_at: i,
        })
        .execute();
    }
  });
}

/** Overwrites a page in the middle. */
function scribble(path: string): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(4_096, 0xff), 0, 4_096, 4_096 * 100);
  closeSync(descriptor);
}
