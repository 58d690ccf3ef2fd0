/** Models: their prices, whether they are offered, what serves them. */
import type { z } from 'zod';
import {
  adminModelDetailSchema,
  adminModelSchema,
  adminModelsQuerySchema,
  adminModelsSchema,
  modelEnablingSchema,
  modelParamsSchema,
  modelPatchSchema,
  modelPriceSchema,
  modelsActionAnswerSchema,
  modelsActionSchema,
  newModelSchema,
  pricePreviewQuerySchema,
  pricePreviewSchema,
} from '../../../../shared/console/admin-models.ts';
import { readEmails } from '../../../accounts/user-store.ts';
import { addModel } from '../../../flows/models/add-model.ts';
import {
  changeModels,
  type ModelsAction,
  modelsAtOnceMax,
} from '../../../flows/models/change-models.ts';
import { editModel } from '../../../flows/models/edit-model.ts';
import { setEnabledOfModel } from '../../../flows/models/enable-model.ts';
import { previewPrice, setPrice } from '../../../flows/models/set-price.ts';
import { readModel, readModels } from '../../../flows/reading/read-models.ts';
import { invalidRequest } from '../../../lib/service-error.ts';
import { adminOf, amountOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import {
  countModels,
  isInState,
  presentModel,
  presentModelDetail,
  presentPriceChange,
} from '../present/model.ts';

const right = 'admin.models';

export const adminModelsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/models',
    summary: 'All models, with what keeps each from being used',
    right,
    query: adminModelsQuerySchema,
    answer: adminModelsSchema,
    handle: async ({ query }, { database, clock }) => {
      const models = await database.snapshot((db) => readModels(db, clock.now()));
      const { state } = query;
      const wanted = models.filter((model) => state === undefined || isInState(model, state));
      return { models: wanted.map(presentModel), counts: countModels(models) };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/models/:model',
    summary: 'One model, with the prices it had and what is selected for it',
    right,
    params: modelParamsSchema,
    answer: adminModelDetailSchema,
    handle: ({ params }, deps) => readDetail(params.model, deps),
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/models',
    summary: 'Add a model, without a price and disabled',
    right,
    body: newModelSchema,
    answer: adminModelSchema,
    handle: async ({ body, viewer }, deps) => {
      const { id, description, extended_qualities: extendedQualities, reason } = body;
      await addModel(adminOf(viewer, deps, reason), { id, description, extendedQualities });
      return readDetail(id, deps);
    },
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/admin/models/:model',
    summary: 'Change a model’s description, qualities or place in the list',
    right,
    params: modelParamsSchema,
    body: modelPatchSchema,
    answer: adminModelSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { description, extended_qualities: extendedQualities, position, reason } = body;
      await editModel(adminOf(viewer, deps, reason), {
        modelId: params.model,
        patch: { description, extendedQualities, position },
      });
      return readDetail(params.model, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/models/:model/enabled',
    summary: 'Offer a model to callers, or withdraw it',
    right,
    params: modelParamsSchema,
    body: modelEnablingSchema,
    answer: adminModelSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { enabled, reason } = body;
      await setEnabledOfModel(adminOf(viewer, deps, reason), { modelId: params.model, enabled });
      return readDetail(params.model, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/models/:model/price',
    summary: 'Set what one picture costs from now on',
    right,
    params: modelParamsSchema,
    body: modelPriceSchema,
    answer: adminModelSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { confirmed_from: from, reason } = body;
      await setPrice(adminOf(viewer, deps, reason), {
        modelId: params.model,
        price: amountOf(body.price, 'price'),
        confirmedFrom: typeof from === 'string' ? amountOf(from, 'confirmed_from') : from,
      });
      return readDetail(params.model, deps);
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/price-preview',
    summary: 'What a new price would change, to be agreed to',
    right,
    query: pricePreviewQuerySchema,
    answer: pricePreviewSchema,
    handle: async ({ query }, { database }) => {
      const price = amountOf(query.price, 'price');
      const modelIds = query.models.split(',');
      if (modelIds.length > modelsAtOnceMax) {
        throw invalidRequest('models', `Name 1 to ${modelsAtOnceMax} models.`);
      }
      const changes = [];
      for (const modelId of modelIds)
        changes.push(await previewPrice(database, { modelId, price }));
      return { changes: changes.map(presentPriceChange) };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/models-action',
    summary: 'Enable, disable or price several models, all or none',
    right,
    body: modelsActionSchema,
    answer: modelsActionAnswerSchema,
    handle: async ({ body, viewer }, deps) => ({
      changed: await changeModels(adminOf(viewer, deps, body.reason), {
        modelIds: body.models,
        action: actionOf(body.action),
      }),
    }),
  }),
];

async function readDetail(modelId: string, { database, clock }: ConsoleDeps) {
  const model = await database.snapshot((db) => readModel(db, modelId, clock.now()));
  const actors = model.prices.map(({ actor }) => actor);
  const emails = await readEmails(database, actors);
  return presentModelDetail(model, emails);
}

function actionOf(action: z.output<typeof modelsActionSchema>['action']): ModelsAction {
  if (action.kind !== 'set_price') return action;
  return {
    kind: action.kind,
    price: amountOf(action.price, 'action.price'),
    confirmedFrom: new Map(
      Object.entries(action.confirmed_from ?? {}).map(([modelId, from]) => [
        modelId,
        from === null ? null : amountOf(from, 'action.confirmed_from'),
      ]),
    ),
  };
}
