/** The credentials of an upstream. They go in; nothing gives them back. */
import { reasonBodySchema } from '../../../../shared/console/admin-models.ts';
import {
  enablingSchema,
  newUpstreamKeySchema,
  upstreamChangeSchema,
  upstreamKeyParamsSchema,
  upstreamKeyReplacementSchema,
  upstreamParamsSchema,
} from '../../../../shared/console/admin-upstreams.ts';
import {
  addUpstreamKey,
  removeUpstreamKey,
  replaceUpstreamKey,
  setEnabledOfUpstreamKey,
} from '../../../flows/upstreams/change-upstream-keys.ts';
import { adminOf } from '../actor.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { answerChange } from './upstreams-routes.ts';

const right = 'admin.upstreams';

export const adminUpstreamKeysRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'POST',
    path: '/admin/upstreams/:upstream/keys',
    summary: 'Give an upstream one more key',
    right,
    params: upstreamParamsSchema,
    body: newUpstreamKeySchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { name, credential, reason } = body;
      const wanted = { ...params, name, credential };
      const admin = adminOf(viewer, deps, reason);
      const change = await addUpstreamKey(admin, deps.upstreamAccess, wanted);
      return answerChange(change, params.upstream, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/upstreams/:upstream/keys/:key/credential',
    summary: 'Give a key another credential',
    right,
    params: upstreamKeyParamsSchema,
    body: upstreamKeyReplacementSchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { upstream, key: name } = params;
      const { credential, master_key_lost: masterKeyLost, reason } = body;
      const wanted = { upstream, name, credential, masterKeyLost };
      const admin = adminOf(viewer, deps, reason);
      const change = await replaceUpstreamKey(admin, deps.upstreamAccess, wanted);
      return answerChange(change, upstream, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/upstreams/:upstream/keys/:key/enabled',
    summary: 'Enable or disable a key',
    right,
    params: upstreamKeyParamsSchema,
    body: enablingSchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { upstream, key: name } = params;
      const { enabled, reason } = body;
      const wanted = { upstream, name, enabled };
      const change = await setEnabledOfUpstreamKey(adminOf(viewer, deps, reason), wanted);
      return answerChange(change, upstream, deps);
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/upstreams/:upstream/keys/:key',
    summary: 'Delete a key',
    right,
    params: upstreamKeyParamsSchema,
    query: reasonBodySchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, query, viewer }, deps) => {
      const { upstream, key: name } = params;
      const admin = adminOf(viewer, deps, query.reason);
      const change = await removeUpstreamKey(admin, deps.upstreamAccess, { upstream, name });
      return answerChange(change, upstream, deps);
    },
  }),
];
