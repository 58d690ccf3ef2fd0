import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { commandLine } from '../../../test/support/processes/command-line.ts';
import { addStudio } from '../../../test/support/upstreams/studio.ts';

it('makes the key file for what it seals, and none when it changes nothing', async () => {
  const { database, dataDir } = await openEmbedded();
  await addStudio(database);
  const cli = commandLine({ url: null, dataDir }, { TINTYPE_SECRET_KEY: '' });
  const rekey = ['upstreams', 'rekey', '--old-key-file', '-'];
  const refused = await cli.runWithInput('05'.repeat(32), ...rekey);
  expect(refused.err).toContain('nothing was changed');
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false);
  const done = await cli.runWithInput('07'.repeat(32), ...rekey);
  expect(done.out).toBe('1 secret is now sealed with the present secret key\n');
  expect(await cli.runWithInput('07'.repeat(32), ...rekey)).toMatchObject({
    out: '0 secrets are now sealed with the present secret key; 1 was already\n',
  });
});
