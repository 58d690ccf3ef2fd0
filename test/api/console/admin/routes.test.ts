/** What holds for every route of the administration, whatever it does. */
import { beforeAll, describe, expect, it } from 'vitest';
import { listAuditEntries } from '../../../../server/audit/audit-store.ts';
import { consoleRoutes } from '../../../../server/http/console/console-routes.ts';
import { type Api, describeApi, outcomeOf } from '../../../support/callers/api.ts';
import {
  type AdminWorld,
  type Call,
  enterAsAdmin,
  sent,
} from '../../../support/console/admin-world.ts';
import { harmlessExamples, writeExamples } from '../../../support/console/admin-write-examples.ts';
import { addMember, signedIn, Visitor } from '../../../support/console/visitor.ts';

/** Those of invitations and of ways to sign in have tests of their own. */
const elsewhere = /invitations|password-reset|authenticator/;

const adminRoutes = consoleRoutes.filter(
  ({ path }) => path.startsWith('/admin/') && !elsewhere.test(path),
);
const writes = adminRoutes.filter(({ method }) => method !== 'GET').map(nameOf);
const reads = adminRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path);

it('every route that may change something has an example here, and no other', () => {
  const examples = [...Object.keys(writeExamples), ...Object.keys(harmlessExamples)];
  expect(examples.sort()).toEqual(writes.sort());
});

describeApi((api) => {
  describe('who is not an administrator', () => {
    it.each(adminRoutes.map(nameOf))('gets nothing of %s', async (name) => {
      const [method, path] = partsOf(name);
      const place = path.replaceAll(/:\w+/g, 'something');
      const user = await cachedUser(api);
      const stranger = new Visitor(api.app.baseUrl);
      const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      expect(outcomeOf(await stranger.ask(method, place, options))).toEqual({
        status: 401,
        code: 'unauthorized',
        param: null,
      });
      expect(outcomeOf(await user.ask(method, place, options))).toEqual({
        status: 403,
        code: 'forbidden',
        param: null,
      });
    });
  });

  describe('a change', () => {
    it.each(Object.keys(writeExamples))('by %s has its audit entries', async (name) => {
      const world = await enterAsAdmin(api);
      const { right, changes = 1 } = exampleOf(name);
      const call = await right(world);
      const before = await entriesBy(world);
      await sent(world, partsOf(name)[0], call);
      const after = await entriesBy(world);
      expect(after.length - before.length).toBe(changes);
      expect(new Set(after.slice(0, changes).map(({ actor }) => actor))).toEqual(
        new Set([world.admin.id]),
      );
    });

    it.each(Object.keys(writeExamples))('that is wrong is refused by %s', async (name) => {
      const world = await enterAsAdmin(api);
      const { param, ...call } = await exampleOf(name).wrong(world);
      const before = await entriesBy(world);
      expect(outcomeOf(await tried(world, name, call))).toEqual({
        status: 400,
        code: 'invalid_request_error',
        param,
      });
      expect(await entriesBy(world)).toEqual(before);
    });

    it.each(Object.keys(writeExamples).filter((name) => writeExamples[name]?.missing))(
      'of what is not there is refused by %s',
      async (name) => {
        const world = await enterAsAdmin(api);
        const call = exampleOf(name).missing?.(world);
        if (!call) throw new Error('no example');
        expect(outcomeOf(await tried(world, name, call))).toMatchObject({
          status: 404,
          code: 'not_found',
        });
      },
    );
  });

  describe('what only looks', () => {
    let world: AdminWorld;
    beforeAll(async () => {
      world = await enterAsAdmin(api);
    });

    it.each(Object.entries(harmlessExamples))('%s leaves no entry', async (name, call) => {
      const before = await entriesBy(world);
      await sent(world, partsOf(name)[0], call);
      expect(await entriesBy(world)).toEqual(before);
    });

    it.each(reads.filter((path) => path.includes(':')))(
      '%s answers 404 for what is not there',
      async (path) => {
        const place = path.replaceAll(/:\w+/g, 'nothing');
        const query = '?upstream_model=x&change=add&amount=1';
        expect(outcomeOf(await world.visitor.get(place + query))).toMatchObject({
          status: 404,
          code: 'not_found',
        });
      },
    );
  });
});

function exampleOf(name: string) {
  const example = writeExamples[name];
  if (!example) throw new Error(`no example of ${name}`);
  return example;
}

function tried({ visitor }: AdminWorld, name: string, { path, body }: Call) {
  return visitor.ask(partsOf(name)[0], path, body ? { body } : {});
}

async function entriesBy({ api, admin }: AdminWorld) {
  const filter = { actor: admin.id };
  return (await listAuditEntries(api.app.database, filter, { after: null, limit: 50 })).items;
}

const users = new WeakMap<object, Promise<Visitor>>();

/** One for all routes of one service. */
function cachedUser(api: Api): Promise<Visitor> {
  const { app } = api;
  const known = users.get(app) ?? addMember(app).then((user) => signedIn(app, user));
  users.set(app, known);
  return known;
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

function partsOf(name: string): [method: string, path: string] {
  const [method = '', path = ''] = name.split(' ');
  return [method, path];
}
