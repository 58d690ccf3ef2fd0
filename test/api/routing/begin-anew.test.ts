/** An upstream that failed, after an administrator put it right: nothing counts against it any more. */
import { expect, test } from 'vitest';
import { editUpstream } from '../../../server/flows/upstreams/edit-upstream.ts';
import { setEnabledOfUpstream } from '../../../server/flows/upstreams/enable-upstream.ts';
import { describeApi } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { serveModel, wayOf } from '../../support/upstreams/served-model.ts';

const callsToBreak = 5;

describeApi((api) => {
  const access = testAccess();

  /** An upstream whose breaker has just opened. */
  async function broken() {
    const { id: model, nameOf } = await serveModel(api.app, { only: {} });
    for (let i = 0; i < callsToBreak; i++) {
      await api.ask(generation, { model, prompt: 'a fox [[fail=timeout]]' });
    }
    const answer = await api.ask(generation, { model });
    expect(await wayOf(api.app, answer)).toEqual(['only: skipped breaker_open']);
    return { model, upstream: nameOf('only') };
  }

  test('it is called at once when it was disabled and enabled again', async () => {
    const { model, upstream } = await broken();
    const { admin } = api.app;
    for (const enabled of [false, true]) {
      await setEnabledOfUpstream(admin, access, { upstream, enabled });
    }
    expect((await api.ask(generation, { model })).status).toBe(200);
  });

  test('it is called at once when it was configured otherwise, and as before again', async () => {
    const { model, upstream } = await broken();
    for (const queueMax of [7, 100]) {
      await editUpstream(api.app.admin, access, { upstream, patch: { limits: { queueMax } } });
    }
    expect((await api.ask(generation, { model })).status).toBe(200);
  });
});
