import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await open();
    await cli.out('models', 'price', 'gen-image-2', '0.04');
    await cli.out('upstreams', 'add', 'test', '--kind', 'sandbox');
    await cli.out('upstreams', 'select', 'gen-image-2', 'test', 'sandbox-classic');
  });

  it('takes a model from nothing to available, and says what is missing on the way', async () => {
    const fresh = await open();
    expect(await reasonOf(fresh, 'gen-image-2')).toBe('no price');
    const early = await fresh.run('models', 'enable', 'gen-image-2');
    expect(early).toMatchObject({
      exitCode: 1,
      err: 'error: gen-image-2 has no price. First set one: tintype models price gen-image-2 <price>\n',
    });
    await fresh.out('models', 'price', 'gen-image-2', '0.04');
    expect(await reasonOf(fresh, 'gen-image-2')).toBe('disabled');
    const enabled = await fresh.run('models', 'enable', 'gen-image-2');
    expect(enabled.err).toContain('No upstream serves it yet');
    expect(await reasonOf(fresh, 'gen-image-2')).toBe('no upstream');
    const added = await fresh.out('upstreams', 'add', 'test', '--kind', 'sandbox');
    expect(added).toContain('+ sandbox-classic');
    const selected = await fresh.run(
      'upstreams',
      'select',
      'gen-image-2',
      'test',
      'sandbox-classic',
    );
    expect(selected.err).toBe('gen-image-2 has an upstream now\n');
    expect(await reasonOf(fresh, 'gen-image-2')).toBeNull();
    const disabled = await fresh.run('upstreams', 'disable', 'test');
    expect(disabled.err).toBe('gen-image-2 has no upstream any more and cannot be used\n');
  });

  it('lists kinds, models and selections', async () => {
    const { kinds } = await cli.json('upstreams', 'kinds');
    expect(kinds).toContainEqual(expect.objectContaining({ kind: 'sandbox' }));
    const { upstream_models } = await cli.json('upstreams', 'models', 'test');
    expect(upstream_models).toContainEqual(
      expect.objectContaining({ upstream_model: 'sandbox-classic', gone_at: null }),
    );
    expect(await cli.json('upstreams', 'selections')).toEqual({
      selections: [
        {
          model: 'gen-image-2',
          upstream: 'test',
          upstream_model: 'sandbox-classic',
          strict_mask: false,
          extra: {},
        },
      ],
    });
  });

  it('asks an upstream whether it answers', async () => {
    expect(await cli.out('upstreams', 'test', 'test')).toMatch(
      /^test answers: \d+ models in \d+ ms\n$/,
    );
  });

  it('keeps the prices a model had', async () => {
    await cli.out('models', 'price', 'gen-image-2', '0.05');
    const model = await cli.json('models', 'show', 'gen-image-2');
    expect(model).toMatchObject({
      price: '0.05',
      prices: [{ price: '0.05' }, { price: '0.04' }],
    });
  });

  it('changes what is said of a model, and nothing that is not named', async () => {
    const edited = await open();
    await edited.out('models', 'add', 'house-style', '--description', 'In our own style');
    const before = await edited.json('models', 'show', 'house-style');
    const out = await edited.out('models', 'edit', 'house-style', '--extended-qualities');
    expect(out).toBe('house-style is saved\n');
    expect(await edited.json('models', 'show', 'house-style')).toEqual({
      ...before,
      extended_qualities: true,
    });
    await edited.out('models', 'edit', 'house-style', '--description', '', '--place', '1');
    const { models } = await edited.json('models', 'list');
    expect(models).toMatchObject([
      { id: 'house-style', description: '', extended_qualities: true },
      { id: 'gen-image-2.5-sunburst' },
      { id: 'gen-image-2.5-flare' },
      { id: 'gen-image-2' },
    ]);
    await edited.out('models', 'edit', 'house-style', '--no-extended-qualities');
    expect(await edited.json('models', 'show', 'house-style')).toMatchObject({
      extended_qualities: false,
    });
    expect(await edited.run('models', 'edit', 'house-style')).toMatchObject({ exitCode: 2 });
    expect(await edited.run('models', 'edit', 'house-stile', '--place', '1')).toMatchObject({
      exitCode: 1,
    });
  });

  it('guesses what a setting was meant to be', async () => {
    await cli.out('settings', 'set', 'slots_per_user', '32');
    const { settings } = await cli.json('settings', 'list');
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'slots_per_user', value: 32, default: 16 }),
    );
    const wrong = await cli.run('settings', 'set', 'slot_per_user', '32');
    expect(wrong).toMatchObject({
      exitCode: 2,
      err: 'error: there is no setting slot_per_user; did you mean slots_per_user?\n',
    });
  });

  async function reasonOf(from: CommandLine, id: string): Promise<unknown> {
    return (await from.json('models', 'show', id))['unavailable_because'];
  }

  async function open(): Promise<CommandLine> {
    return commandLine(engine.locationOf(await engine.open()));
  }
});
