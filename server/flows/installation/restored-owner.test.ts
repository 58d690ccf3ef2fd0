/** A restore by the root of the machine, of an installation whose service is another user. */
import { chownSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testAdmin } from '../../../test/support/console/test-admin.ts';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { backUp } from './back-up.ts';
import { type Restore, restoreBackup } from './restore-backup.ts';

const nobody = 65_534;
const onlyRoot = {
  skip: process.getuid?.() !== 0,
  meta: { skippedBecause: 'only root gives files to others' },
};

let dataDir: string;
let restore: (onProgress?: Restore['onProgress']) => ReturnType<typeof restoreBackup>;

beforeEach(async () => {
  const { database, ...installation } = await openEmbedded();
  dataDir = installation.dataDir;
  const file = join(dataDir, 'backup.db');
  await backUp({ dataDir, file, overwrite: false, onProgress: () => {} });
  const { clock, actor } = testAdmin(database);
  await database.close();
  const standard = { dataDir, file, overwrite: true, clock, actor };
  restore = (onProgress = () => {}) => restoreBackup({ ...standard, onProgress });
});

it('gives the new file to the owner of the old one', onlyRoot, async () => {
  chownSync(join(dataDir, 'tintype.db'), nobody, nobody);
  expect(await restore()).toMatchObject({ kind: 'restored' });
  expect(ownersOf(/^tintype\.db/)).toEqual([nobody, nobody]);
});

it('gives the first file to the owner of its folder', onlyRoot, async () => {
  rmSync(join(dataDir, 'tintype.db'));
  chownSync(dataDir, nobody, nobody);
  expect(await restore()).toMatchObject({ kind: 'restored' });
  expect(ownersOf(/^tintype\.db/)).toEqual([nobody]);
});

it(
  'gives the lock to them as well, whose commands could not see that it is taken',
  onlyRoot,
  async () => {
    chownSync(join(dataDir, 'tintype.db'), nobody, nobody);
    const owners = new Set<number>();
    await restore(() => ownersOf(/\.restore$/).forEach((owner) => owners.add(owner)));
    expect([...owners]).toEqual([nobody]);
  },
);

function ownersOf(name: RegExp): number[] {
  const found = readdirSync(dataDir).filter((each) => name.test(each));
  return found.map((each) => statSync(join(dataDir, each)).uid);
}
