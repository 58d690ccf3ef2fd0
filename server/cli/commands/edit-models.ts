import type { Command } from 'commander';
import { editModel, type ModelPatch } from '../../flows/models/edit-model.ts';
import { integerArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';

const placeMax = 10_000;

interface EditOptions {
  description?: string;
  extendedQualities?: boolean;
  place?: number;
  reason?: string;
}

/** Adds what changes what is said of a model; its price and whether it is offered are apart. */
export function addEditModelCommand(models: Command, cli: Cli): void {
  models
    .command('edit <model>')
    .description('change the description of a model, its qualities or its place in lists')
    .option('--description <text>', 'one line about it')
    .option('--extended-qualities', 'accept the qualities xhigh and max')
    .option('--no-extended-qualities', 'refuse them')
    .option('--place <number>', 'its place in lists, from 1', integerArgument(1, placeMax))
    .option('--reason <text>', 'why, for the audit')
    .action((modelId: string, { reason, ...options }: EditOptions, command: Command) => {
      const patch = patchOf(options);
      return cli.on(command, async ({ admin }) => {
        await editModel(admin(reason), { modelId, patch });
        cli.say(`${modelId} is saved`);
      });
    });
}

function patchOf({ description, extendedQualities, place }: EditOptions): ModelPatch {
  const patch: ModelPatch = {
    ...(description !== undefined && { description }),
    ...(extendedQualities !== undefined && { extendedQualities }),
    ...(place !== undefined && { position: place - 1 }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('nothing to change: see tintype models edit --help');
}
