/** A small crash storm; `npm run storm` is the large one. */
import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { formatReport, violationsOf } from '../../bench/storm/report.ts';
import { runStorm } from '../../bench/storm/storm.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { makeScratchFolder } from '../support/scratch.ts';

forEachEngine((engine) => {
  it('keeps three books that agree while its servers are killed', {
    timeout: 120_000,
  }, async () => {
    const database = engine.locationOf(await engine.open());
    const folder = makeScratchFolder('storm');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const servers = engine.name === 'sqlite' ? 1 : 3;
    const report = await runStorm({
      size: { seed: 20_261_121, requests: 60, kills: 4, seconds: 9, servers },
      // The data folder is not used where the database has an address.
      database: { url: database.url, dataDir: database.dataDir || folder },
      folder,
      onProgress: () => {},
    });
    expect(violationsOf(report), formatReport(report)).toEqual([]);
    // A storm in which nothing was delivered or nothing was struck would prove nothing.
    const { lives, stories } = report.books;
    const tries = stories.flatMap((story) => story.tries);
    expect(tries.filter(({ held }) => held).length).toBeGreaterThan(5);
    expect(tries.filter(({ end }) => end === 'broken').length).toBeGreaterThan(0);
    expect(new Set(lives.flatMap(({ blows }) => blows.map(({ kind }) => kind)))).toEqual(
      new Set(['kill', 'double', 'freeze', 'terminate']),
    );
  });
});
