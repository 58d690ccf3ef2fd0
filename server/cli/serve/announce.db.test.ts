import { expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { failing } from '../../../test/support/databases/failing-database.ts';
import { loadConfig } from '../../config.ts';
import { createLogger } from '../../lib/logger.ts';
import { announce } from './announce.ts';

forEachEngine((engine) => {
  it('leaves a service running whose database does not answer just then', async () => {
    const database = failing(await engine.open());
    database.fates = ['is lost'];
    const lines: string[] = [];
    const printed: string[] = [];
    const announcing = {
      config: loadConfig({}, {}).config,
      log: createLogger('info', { write: (line) => lines.push(line) }),
      terminal: {
        out: () => {},
        err: (text: string) => printed.push(text),
        input: async () => '',
        environment: undefined,
      },
    };
    await announce({ database, baseUrl: 'http://127.0.0.1:8080' }, announcing);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      level: 'error',
      msg: 'could not find out what is not set up yet',
    });
    expect(printed).toEqual([]);
  });

  it.each([
    ['sk_test_0123', 1],
    ['rk_test_0123', 1],
    ['sk_live_0123', 0],
  ])('says at each start that payments with %s are none', async (stripeSecretKey, times) => {
    const database = await engine.open();
    const lines: string[] = [];
    const announcing = {
      config: { ...loadConfig({}, {}).config, stripeSecretKey },
      log: createLogger('info', { write: (line) => lines.push(line) }),
      terminal: { out: () => {}, err: () => {}, input: async () => '', environment: undefined },
    };
    await announce({ database, baseUrl: 'http://127.0.0.1:8080' }, announcing);
    const told = lines.filter((line) => line.includes('Stripe'));
    expect(told).toHaveLength(times);
    expect(told.join('')).not.toContain('0123');
  });

  it.each([
    ['http://0.0.0.0:8080', 'http://127.0.0.1:8080', '127.0.0.1'],
    ['http://[::]:8080', 'http://[::1]:8080', '[::1]'],
    ['http://10.0.0.7:8080', 'http://10.0.0.7:8080', null],
  ])('shows a setup link that can be opened for %s', async (baseUrl, shown, host) => {
    const database = await engine.open();
    const printed: string[] = [];
    await announce(
      { database, baseUrl },
      {
        config: loadConfig({}, {}).config,
        log: createLogger('silent'),
        terminal: {
          out: () => {},
          err: (text: string) => printed.push(text),
          input: async () => '',
          environment: undefined,
        },
      },
    );
    expect(printed.join('')).toContain(`    ${shown}/setup#`);
    const hint = `From another machine, put its address in the place of ${host}.`;
    expect(printed.join('').includes('From another machine')).toBe(host !== null);
    if (host !== null) expect(printed.join('')).toContain(hint);
  });
});
