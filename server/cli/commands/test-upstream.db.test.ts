import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pngOfLength } from '../../../test/support/pictures.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';
import { made, PaintService } from '../../../test/support/upstreams/paint-service.ts';
import type { Database } from '../../db/db.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';

const nobody = { onInterrupt: () => () => {} };
const probe = ['upstreams', 'test', 'studio', '--paid', '--model', 'paint-1'];

forEachEngine((engine) => {
  let database: Database;
  let cli: CommandLine;
  let service: PaintService;

  beforeEach(async () => {
    database = await engine.open();
    service = new PaintService();
    const kinds = new Map([[service.kind.kind, service.kind]]);
    cli = commandLine(engine.locationOf(database), {}, kinds);
    await cli.out('upstreams', 'add', 'studio', '--kind', 'scripted');
  });

  describe('the paid test', () => {
    it('leaves an audit entry before it costs anything', async () => {
      service.play = () => {
        throw new UpstreamError('unavailable', 'down');
      };
      await cli.run(...probe, '--yes', '--reason', 'a new engine');
      const { audit } = await cli.json('audit', '--action', 'upstream.probe');
      expect(audit).toMatchObject([
        {
          reason: 'a new engine',
          detail: {
            name: 'studio',
            key: null,
            upstream_model: 'paint-1',
            operations: ['generation', 'edit'],
          },
        },
      ]);
    });

    it('says what it will cost, and makes nothing without a yes', async () => {
      const { exitCode, out, err } = await cli.run(...probe);
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
      expect(err).toBe(
        '2 pictures (a generation and an edit) at quality low, 1024x1024, made by paint-1 of studio at its operator’s expense; no wallet is touched.\n' +
          'error: this costs money: add --yes to go on\n',
      );
      expect(service.jobs).toEqual([]);
    });

    it.each(['', 'n\n', 'no\n', 'yesterday\n'])(
      'takes %j at the terminal for a no',
      async (input) => {
        const { exitCode, err } = await cli.runAtTerminal(nobody, input, ...probe);
        expect(exitCode).toBe(1);
        expect(err).toContain('Go on? [y/N] ');
        expect(err).toContain('error: studio was not asked\n');
        expect(service.jobs).toEqual([]);
      },
    );

    it.each(['y\n', 'Yes\n'])('goes on at %j, and shows what is waited for', async (input) => {
      const { exitCode, out, err } = await cli.runAtTerminal(nobody, input, ...probe);
      expect(exitCode).toBe(0);
      expect(out.trimEnd().split('\n')).toEqual([
        expect.stringMatching(
          /^generation: 1x1 png, 200 bytes, in \d+\.\d s; its request theirs-1; warnings: size_approximated$/,
        ),
        expect.stringMatching(
          /^edit: 1x1 png, 200 bytes, in \d+\.\d s; its request theirs-2; warnings: size_approximated$/,
        ),
      ]);
      expect(err).toContain('generation … 0 s (Ctrl-C cancels)');
      expect(err).toContain('edit … 0 s (Ctrl-C cancels)');
      expect(err.endsWith('\r\u{1b}[K')).toBe(true);
    });

    it('shows no timer where nobody sits at the terminal', async () => {
      const { exitCode, err } = await cli.run(...probe, '--yes');
      expect(exitCode).toBe(0);
      expect(err).toMatch(/^2 pictures [^\n]+\n$/);
    });

    it('is one JSON document', async () => {
      service.play = async function* (job) {
        if (job.operation === 'generation') return yield made({ warnings: ['quality_ignored'] });
        throw new UpstreamError('quota', 'the account is out of money', {
          status: 429,
          upstreamCode: 'insufficient_quota',
          upstreamRequestId: 'theirs-2',
          possiblyCharged: true,
        });
      };
      const { exitCode, out, err } = await cli.run(...probe, '--yes', '--json');
      expect(exitCode).toBe(1);
      expect(err).toMatch(/\nerror: 1 of 2 pictures made\n$/);
      const told = {
        took_ms: expect.any(Number),
        saved_to: null,
        upstream_key: null,
        status: null,
        upstream_code: null,
      };
      expect(JSON.parse(out)).toEqual({
        name: 'studio',
        upstream_model: 'paint-1',
        operations: ['generation', 'edit'],
        quality: 'low',
        size: { width: 1024, height: 1024 },
        results: [
          {
            ...told,
            operation: 'generation',
            made: true,
            width: 1,
            height: 1,
            format: 'png',
            bytes: 200,
            upstream_request_id: 'theirs-1',
            warnings: ['quality_ignored', 'size_approximated'],
            fault: null,
            message: null,
            possibly_charged: false,
          },
          {
            ...told,
            operation: 'edit',
            made: false,
            width: null,
            height: null,
            format: null,
            bytes: null,
            upstream_request_id: 'theirs-2',
            warnings: [],
            fault: 'quota',
            status: 429,
            upstream_code: 'insufficient_quota',
            message: 'the account is out of money',
            possibly_charged: true,
          },
        ],
      });
    });

    it('names the fault of a picture that was not made', async () => {
      service.play = async function* () {
        yield { kind: 'accepted', upstreamRequestId: null };
        throw new UpstreamError('unavailable', 'the connection was cut', { status: 502 });
      };
      const { exitCode, out, err } = await cli.run(...probe, '--yes');
      expect(exitCode).toBe(1);
      expect(out).toMatch(
        /^generation: unavailable \(502\) after \d+\.\d s: the connection was cut; it may be charged all the same\nedit: /,
      );
      expect(err).toMatch(/\nerror: 0 of 2 pictures made\n$/);
    });

    it('is canceled by Ctrl-C, with the call under way', async () => {
      let interrupt = () => {};
      const begun = Promise.withResolvers<AbortSignal>();
      service.play = async function* (_job, { signal }) {
        yield { kind: 'accepted', upstreamRequestId: null };
        begun.resolve(signal);
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      };
      const person = {
        onInterrupt: (act: () => void) => {
          interrupt = act;
          return () => {};
        },
      };
      const running = cli.runAtTerminal(person, 'y\n', ...probe);
      const signal = await begun.promise;
      interrupt();
      const { exitCode, out, err } = await running;
      expect(signal.aborted).toBe(true);
      expect(exitCode).toBe(1);
      expect(out).toMatch(/^generation: canceled .*; it may be charged all the same\n$/);
      expect(err).toContain('error: canceled: 0 of 2 pictures made\n');
      expect(service.jobs).toHaveLength(1);
    });

    it('saves the pictures', async () => {
      const folder = join(makeFolder(), 'new');
      const out = await cli.out(...probe, '--yes', '--save', folder);
      expect(readdirSync(folder).sort()).toEqual(['studio-edit.png', 'studio-generation.png']);
      const file = join(folder, 'studio-edit.png');
      expect(out).toContain(`; saved to ${file}\n`);
      expect(readFileSync(file)).toEqual(pngOfLength(200));
    });

    it('overwrites nothing, which it says before anything is made', async () => {
      const folder = makeFolder();
      writeFileSync(join(folder, 'studio-edit.png'), 'precious');
      const { exitCode, err } = await cli.run(...probe, '--yes', '--save', folder);
      expect({ exitCode, err }).toEqual({
        exitCode: 2,
        err: `error: ${join(folder, 'studio-edit.png')} is there already\n`,
      });
      expect(service.jobs).toEqual([]);
      expect(readdirSync(folder)).toEqual(['studio-edit.png']);
    });

    it('asks only for what the model can do', async () => {
      service.can = { generation: false };
      const { err } = await cli.run(...probe, '--yes');
      expect(err).toMatch(/^1 picture \(an edit\) at quality low/);
      expect(service.jobs).toMatchObject([{ operation: 'edit' }]);
      service.can = { generation: false, edit: false };
      expect(await cli.run(...probe, '--yes')).toMatchObject({
        exitCode: 1,
        err: 'error: paint-1 makes neither generations nor edits\n',
      });
    });

    it.each([
      [
        'a model that is not on the list',
        ['--paid', '--model', 'paint-4'],
        1,
        /not on the model list/,
      ],
      ['no model', ['--paid'], 2, /--paid needs --model/],
      ['a model without --paid', ['--model', 'paint-1'], 2, /need --paid/],
      ['--yes without --paid', ['--yes'], 2, /need --paid/],
      ['--save without --paid', ['--save', 'x'], 2, /need --paid/],
    ])('refuses %s', async (_what, options, code, message) => {
      const { exitCode, err } = await cli.run('upstreams', 'test', 'studio', ...options);
      expect(exitCode).toBe(code);
      expect(err).toMatch(message);
      expect(service.jobs).toEqual([]);
    });

    it('touches no wallet and leaves no usage record', async () => {
      await cli.out(...probe, '--yes');
      for (const table of ['usage_records', 'wallet_transactions', 'holds'] as const) {
        expect(await database.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    });
  });

  it('makes real pictures with the sandbox', async () => {
    const sandbox = commandLine(engine.locationOf(database));
    await sandbox.out('upstreams', 'add', 'sandbox', '--kind', 'sandbox');
    const folder = makeFolder();
    const args = ['--paid', '--model', 'sandbox-quick', '--yes', '--save', folder];
    await sandbox.out('upstreams', 'test', 'sandbox', ...args);
    for (const operation of ['generation', 'edit']) {
      const file = join(folder, `sandbox-${operation}.png`);
      expect(existsSync(file)).toBe(true);
      expect(await sharp(file).metadata()).toMatchObject({ width: 1024, height: 1024 });
    }
  });
});

function makeFolder(): string {
  const folder = makeScratchFolder('probe');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
