import type { Command } from 'commander';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import { servedModels } from '../../catalog/catalog.ts';
import { readCatalogRecords } from '../../catalog/catalog-cache.ts';
import { type Model, type Price, whyUnavailable } from '../../catalog/model.ts';
import { listPrices, requireModel } from '../../catalog/model-store.ts';
import type { Db } from '../../db/db.ts';
import { addModel } from '../../flows/models/add-model.ts';
import { setEnabledOfModel } from '../../flows/models/enable-model.ts';
import { setPrice } from '../../flows/models/set-price.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { amountAboveZero } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { type Column, printFields, printTable } from '../output.ts';
import { addEditModelCommand } from './edit-models.ts';

const pricesShownMax = 100;

export function addModelCommands(program: Command, cli: Cli): void {
  const models = program.command('models').description('models, their prices, who may use them');
  addListCommand(models, cli);
  addShowCommand(models, cli);
  addPriceCommand(models, cli);
  addEnableCommands(models, cli);
  addAddCommand(models, cli);
  addEditModelCommand(models, cli);
}

function addListCommand(models: Command, cli: Cli): void {
  models
    .command('list')
    .description('all models, and what keeps one from being used')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const listed = await readListedModels(database);
        const { currency } = await readSettings(database);
        if (json) cli.json({ models: listed.map(presentModel), currency });
        else {
          printTable(cli.terminal, {
            rows: listed,
            columns: modelColumns(currency),
            empty: 'There are no models. Add one: tintype models add',
          });
        }
      }),
    );
}

function addShowCommand(models: Command, cli: Cli): void {
  models
    .command('show <model>')
    .description('one model with the prices it had')
    .option('--json', 'print JSON')
    .action((id: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const model = await requireModel(database, id);
        const served = servedModels(await readCatalogRecords(database));
        const presented = presentModel({ model, isServed: served.has(id) });
        const prices = await listPrices(database, id, pricesShownMax);
        if (json) {
          cli.json({ ...presented, prices: prices.map(presentPrice) });
          return;
        }
        printFields(cli.terminal, Object.entries(presented));
        cli.say('');
        printTable(cli.terminal, { rows: prices, columns: priceColumns, empty: 'No price yet.' });
      }),
    );
}

function addPriceCommand(models: Command, cli: Cli): void {
  models
    .command('price')
    .description('set what one picture costs from now on; running requests keep their price')
    .argument('<model>', 'model ID')
    .argument('<amount>', 'such as 0.04', amountAboveZero)
    .option('--reason <text>', 'why, for the audit')
    .action((modelId: string, price: Amount, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const model = await setPrice(admin(reason), { modelId, price });
        cli.say(`${modelId} costs ${formatAmount(price)} per picture`);
        if (!model.enabled) cli.note(`It is still disabled: tintype models enable ${modelId}`);
      }),
    );
}

function addEnableCommands(models: Command, cli: Cli): void {
  const enabling = [
    { name: 'enable', enabled: true, description: 'offer a model to callers; it needs a price' },
    { name: 'disable', enabled: false, description: 'withdraw a model' },
  ];
  for (const { name, enabled, description } of enabling) {
    models
      .command(`${name} <model>`)
      .description(description)
      .option('--reason <text>', 'why, for the audit')
      .action((modelId: string, { reason }: { reason?: string }, command: Command) =>
        cli.on(command, async ({ admin, database }) => {
          await setEnabledOfModel(admin(reason), { modelId, enabled });
          cli.say(`${modelId} is ${enabled ? 'enabled' : 'disabled'}`);
          if (enabled) await noteUnserved(cli, database, modelId);
        }),
      );
  }
}

interface AddOptions {
  description: string;
  extendedQualities?: boolean;
  reason?: string;
}

function addAddCommand(models: Command, cli: Cli): void {
  models
    .command('add <model>')
    .description('add a model ID that callers may send')
    .option('--description <text>', 'one line about it', '')
    .option('--extended-qualities', 'accept the qualities xhigh and max')
    .option('--reason <text>', 'why, for the audit')
    .action((id: string, options: AddOptions, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { description, extendedQualities = false, reason } = options;
        await addModel(admin(reason), { id, description, extendedQualities });
        cli.say(`${id} is added`);
        cli.note(`Give it a price: tintype models price ${id} <amount>`);
      }),
    );
}

async function noteUnserved(cli: Cli, db: Db, modelId: string): Promise<void> {
  if (servedModels(await readCatalogRecords(db)).has(modelId)) return;
  cli.note(
    `No upstream serves it yet: tintype upstreams select ${modelId} <upstream> <upstream-model>`,
  );
}

interface ListedModel {
  model: Model;
  isServed: boolean;
}

async function readListedModels(db: Db): Promise<readonly ListedModel[]> {
  const records = await readCatalogRecords(db);
  const served = servedModels(records);
  return records.models.map((model) => ({ model, isServed: served.has(model.id) }));
}

function modelColumns(currency: string): readonly Column<ListedModel>[] {
  return [
    { title: 'MODEL', cell: ({ model }) => model.id },
    {
      title: `PRICE (${currency})`,
      cell: ({ model }) => (model.price === null ? null : formatAmount(model.price)),
      align: 'right',
    },
    { title: 'ENABLED', cell: ({ model }) => model.enabled },
    { title: 'AVAILABLE', cell: (listed) => whyNot(listed) ?? 'yes' },
    { title: 'DESCRIPTION', cell: ({ model }) => model.description },
  ];
}

const priceColumns: readonly Column<Price>[] = [
  { title: 'SINCE (UTC)', cell: ({ createdAt }) => utcTime(createdAt) },
  { title: 'PRICE', cell: ({ amount }) => formatAmount(amount), align: 'right' },
  { title: 'BY', cell: ({ actor }) => actor },
];

function presentModel({ model, isServed }: ListedModel) {
  return {
    id: model.id,
    description: model.description,
    extended_qualities: model.extendedQualities,
    price: model.price === null ? null : formatAmount(model.price),
    enabled: model.enabled,
    available: whyUnavailable(model, isServed) === null,
    unavailable_because: whyUnavailable(model, isServed),
  };
}

function presentPrice({ amount, actor, createdAt }: Price) {
  return { price: formatAmount(amount), actor, created_at: isoTime(createdAt) };
}

function whyNot({ model, isServed }: ListedModel): string | null {
  const reason = whyUnavailable(model, isServed);
  return reason === null ? null : `no: ${reason}`;
}
