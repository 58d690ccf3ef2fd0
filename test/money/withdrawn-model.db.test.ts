/** Repeats of a request whose model may not be asked for any more: what was paid for is given all the same. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { editKey } from '../../server/flows/keys/edit-key.ts';
import { editModel } from '../../server/flows/models/edit-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { errorOf, outcomeOf } from '../support/callers/api.ts';
import type { Fields } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { refuseWrongBooks, walletOf } from '../support/money/spending.ts';
import { askService, startService } from '../support/processes/service-process.ts';

const modelId = 'gen-image-2.5-flare';
const other = 'gen-image-2';

forEachEngine((engine) => {
  let database: Database;
  let app: TestApp;
  let user: TestUser;

  beforeAll(async () => {
    database = await engine.open();
    app = await startTestApp(engine.locationOf(database));
  });
  afterAll(async () => {
    await app.stop();
    await refuseWrongBooks(database);
  });
  beforeEach(async () => {
    user = await app.addUser({ money: '1.00' });
    await setEnabledOfModel(app.admin, { modelId, enabled: true });
    await editModel(app.admin, { modelId, patch: { extendedQualities: true } });
  });

  const ask = (fields: Fields = {}, key = 'k') =>
    askService(app, user, { model: modelId, quality: 'max', ...fields }, { headers: keyed(key) });
  const keyed = (key: string) => ({ 'idempotency-key': key });

  it.each<[string, () => Promise<unknown>, { status: number }]>([
    [
      'is not one of the key any more',
      () => editKey(app.admin, { keyId: user.apiKeyId, userId: null }, { models: [other] }),
      { status: 400 },
    ],
    [
      'does not take its quality any more',
      () => editModel(app.admin, { modelId, patch: { extendedQualities: false } }),
      { status: 400 },
    ],
    [
      'is withdrawn',
      () => setEnabledOfModel(app.admin, { modelId, enabled: false }),
      { status: 503 },
    ],
  ])('whose model %s get its answer', async (_what, withdraw, refusal) => {
    const first = await ask();
    expect(first).toMatchObject({ status: 200 });
    const paid = await walletOf(database, user.id);
    await withdraw();
    const repeat = await ask();
    expect(repeat).toMatchObject({ status: 200, text: first.text });
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    const changed = await ask({ prompt: 'a hare' });
    expect(outcomeOf(changed)).toMatchObject({ status: 400, param: 'Idempotency-Key' });
    expect(await ask({}, 'another')).toMatchObject(refusal);
    expect(await walletOf(database, user.id)).toBe(paid);
  });

  it('whose model is withdrawn are told by another process that they were charged', async () => {
    const first = await ask();
    await setEnabledOfModel(app.admin, { modelId, enabled: false });
    const elsewhere = await startService(engine.locationOf(database));
    const asked = { model: modelId, quality: 'max' };
    const repeat = await askService(elsewhere, user, asked, { headers: keyed('k') });
    expect(outcomeOf(repeat)).toMatchObject({ status: 400, param: 'Idempotency-Key' });
    expect(errorOf(repeat).message).toContain(first.headers.get('x-request-id'));
    const fresh = await askService(elsewhere, user, asked, { headers: keyed('another') });
    expect(fresh).toMatchObject({ status: 503 });
  });
});
