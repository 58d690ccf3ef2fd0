/** A user's own API keys. */
import { z } from 'zod';
import {
  issuedKeySchema,
  type KeyEditForm,
  type KeyView,
  keyEditSchema,
  keyEnablingSchema,
  keyListQuerySchema,
  keyListSchema,
  keyParamsSchema,
  keyRotationSchema,
  keySchema,
  newKeySchema,
} from '../../../shared/console/keys.ts';
import { pageRows } from '../../../shared/console/ranges.ts';
import { type Amount, zero } from '../../../shared/money.ts';
import { stateOfKey } from '../../accounts/api-key.ts';
import type { KeyChoice } from '../../accounts/api-key-store.ts';
import { type KeyBudget, type KeyLimits, noKeyLimits } from '../../accounts/key-budget.ts';
import { editKey, type KeyEdit } from '../../flows/keys/edit-key.ts';
import { enableKey } from '../../flows/keys/enable-key.ts';
import { issueKey } from '../../flows/keys/issue-key.ts';
import { revokeKey } from '../../flows/keys/revoke-key.ts';
import { rotateKey } from '../../flows/keys/rotate-key.ts';
import { type KeyOverview, readKey, readKeys } from '../../flows/reading/read-keys.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { isoTime, isZone, monthOf, timeOrNull } from '../../lib/time-text.ts';
import { adminOf, amountOf } from './actor.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { type ConsoleRoute, signedInRoute, type Viewer } from './console-route.ts';
import { presentCursors, readCursor } from './cursor.ts';
import { presentAmount, presentVastSum } from './present/amount.ts';
import { recentDays } from './range.ts';

const owned = { id: 'api_key' } as const;

export const keysRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/keys',
    summary: 'Your own API keys, newest first; never a secret',
    right: 'own',
    query: keyListQuerySchema,
    answer: keyListSchema,
    handle: async ({ query, viewer }, deps) => {
      const { database, clock } = deps;
      const nowMs = clock.now();
      const wish = {
        userId: viewer.userId,
        state: query.status ?? null,
        after: readCursor(query.cursor).place,
        limit: pageRows,
        nowMs,
        fromMs: (await recentDays(query, viewer, deps)).fromMs,
      };
      const { items, older } = await database.snapshot((db) => readKeys(db, wish));
      return {
        items: items.map((key) => presentKey(key, nowMs)),
        older: presentCursors({ older, newer: null }, undefined).older,
      };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/keys',
    summary: 'Issue an API key; its secret is in this answer and nowhere else',
    right: 'own',
    body: newKeySchema,
    answer: issuedKeySchema,
    handle: async ({ body, viewer }, deps) => {
      const { models = null, addresses = null, limits = {}, expiresAt = null } = editOf(body);
      const { key, secret } = await issueKey(adminOf(viewer, deps, undefined), {
        user: viewer.userId,
        name: body.name,
        prefix: deps.options.keyPrefix,
        models,
        addresses,
        expiresAt,
        limits: { ...noKeyLimits, ...limits },
        reference: body.reference,
      });
      return { key: await readOwnKey(key.id, viewer, deps), secret };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/keys/:id',
    summary: 'One of your own API keys',
    right: 'own',
    params: keyParamsSchema,
    owned,
    answer: keySchema,
    handle: async ({ params, viewer }, deps) => readOwnKey(params.id, viewer, deps),
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/keys/:id',
    summary: 'Change what an API key is called and what it may do',
    right: 'own',
    params: keyParamsSchema,
    owned,
    body: keyEditSchema,
    sampleBody: { name: 'renamed' },
    answer: keySchema,
    handle: async ({ params, body, viewer }, deps) => {
      const edit = editOf(body);
      await editKey(adminOf(viewer, deps, undefined), choiceOf(params.id, viewer), edit);
      return readOwnKey(params.id, viewer, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/keys/:id/enabled',
    summary: 'Let an API key work, or no longer, until it is enabled again',
    right: 'own',
    params: keyParamsSchema,
    owned,
    body: keyEnablingSchema,
    sampleBody: { enabled: false },
    answer: keySchema,
    handle: async ({ params, body, viewer }, deps) => {
      const admin = adminOf(viewer, deps, undefined);
      await enableKey(admin, choiceOf(params.id, viewer), body.enabled);
      return readOwnKey(params.id, viewer, deps);
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/keys/:id/rotate',
    summary: 'Give an API key another secret, which is in this answer and nowhere else',
    right: 'own',
    params: keyParamsSchema,
    owned,
    body: keyRotationSchema,
    sampleBody: { overlap_hours: 1 },
    answer: issuedKeySchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { secret } = await rotateKey(
        adminOf(viewer, deps, undefined),
        choiceOf(params.id, viewer),
        {
          prefix: deps.options.keyPrefix,
          overlapMs: Math.round(body.overlap_hours * 3_600_000),
          inPlaceOf: body.in_place_of,
        },
      );
      return { key: await readOwnKey(params.id, viewer, deps), secret };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'End an API key for good',
    right: 'own',
    params: keyParamsSchema,
    owned,
    answer: z.object({}),
    handle: async ({ params, viewer }, deps) => {
      await revokeKey(adminOf(viewer, deps, undefined), choiceOf(params.id, viewer));
      return {};
    },
  }),
];

function choiceOf(keyId: string, { userId }: Viewer): KeyChoice {
  return { keyId, userId };
}

async function readOwnKey(keyId: string, viewer: Viewer, deps: ConsoleDeps): Promise<KeyView> {
  const { database, clock } = deps;
  const choice = choiceOf(keyId, viewer);
  const { fromMs } = await recentDays({}, viewer, deps);
  const key = await database.snapshot((db) => readKey(db, choice, fromMs));
  return presentKey(key, clock.now());
}

function editOf(form: KeyEditForm): KeyEdit {
  const { name, models, addresses, expires_at: expires } = form;
  return {
    ...(name !== undefined && { name }),
    ...(models !== undefined && { models }),
    ...(addresses !== undefined && { addresses }),
    ...(expires !== undefined && { expiresAt: expires === null ? null : Date.parse(expires) }),
    limits: limitsOf(form),
  };
}

function limitsOf(form: KeyEditForm): Partial<KeyLimits> {
  const { slots, spend_limit: spend, monthly_limit: monthly, zone } = form;
  if (zone !== undefined && !isZone(zone)) {
    throw invalidRequest('zone', 'This is no time zone; use a name such as Europe/Berlin.');
  }
  return {
    ...(slots !== undefined && { slotsMax: slots }),
    ...(spend !== undefined && { spendMax: limitOf(spend, 'spend_limit') }),
    ...(monthly !== undefined && { monthlySpendMax: limitOf(monthly, 'monthly_limit') }),
    ...(zone !== undefined && { zone }),
  };
}

function limitOf(text: string | null, param: string): Amount | null {
  return text === null ? null : amountOf(text, param);
}

function presentKey({ key, budget, recentSpend }: KeyOverview, nowMs: number): KeyView {
  const { previousUntil } = key;
  return {
    id: key.id,
    name: key.name,
    masked: `sk-${key.prefix}-…${key.lastFour}`,
    status: stateOfKey(key, nowMs),
    models: key.models && [...key.models],
    addresses: key.addresses && [...key.addresses],
    limits: presentLimits(budget.limits),
    spend_30d: presentVastSum(recentSpend),
    spent: presentVastSum(budget.spent),
    spent_this_month: presentVastSum(spentThisMonth(budget, nowMs)),
    last_used_at: timeOrNull(key.lastUsedAt),
    created_at: isoTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    previous_secret_until:
      previousUntil !== null && previousUntil > nowMs ? isoTime(previousUntil) : null,
  };
}

function presentLimits({ slotsMax, spendMax, monthlySpendMax, zone }: KeyLimits) {
  return {
    slots: slotsMax,
    spend: spendMax && presentAmount(spendMax),
    monthly_spend: monthlySpendMax && presentAmount(monthlySpendMax),
    zone,
  };
}

function spentThisMonth({ month, spentInMonth, limits }: KeyBudget, nowMs: number): Amount | null {
  return month !== null && month >= monthOf(nowMs, limits.zone) ? spentInMonth : zero;
}
