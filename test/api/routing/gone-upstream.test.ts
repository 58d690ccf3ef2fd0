/** An upstream that is configured otherwise, or not there any more: nothing is kept of how it was reached. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editUpstream } from '../../../server/flows/upstreams/edit-upstream.ts';
import { setEnabledOfUpstream } from '../../../server/flows/upstreams/enable-upstream.ts';
import { removeUpstream } from '../../../server/flows/upstreams/remove-upstream.ts';
import { describeApi } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { patience } from '../../support/patience.ts';
import { makePicture } from '../../support/pictures.ts';
import { type Server, serveModel } from '../../support/upstreams/served-model.ts';
import { whole } from '../../upstreams/deliveries.ts';
import { FakeService } from '../../upstreams/fake-service.ts';
import { openaiSubject } from '../../upstreams/openai-images.ts';

const { fake: protocol, credential, upstreamModel } = openaiSubject();

describeApi((api) => {
  let service: FakeService;

  beforeAll(async () => {
    const picture = await makePicture('png');
    service = await FakeService.start({
      protocol,
      main: (request) => ({ answer: protocol.picture(picture, request), deliver: whole }),
      // Longer than any test has patience.
      keepAliveMs: 600_000,
    });
  });
  afterAll(() => service.stop());

  const access = testAccess();
  const studio = (): Server => ({
    kind: 'openai-images',
    baseUrl: `${service.origin}${protocol.basePath}`,
    credential,
    settings: { dialect: 'openai' },
    upstreamModel,
  });

  /** A connection to the service waits for the next request. */
  async function asked() {
    const { id: model, nameOf } = await serveModel(api.app, { studio: studio() });
    expect((await api.ask(generation, { model })).status).toBe(200);
    await expect.poll(() => service.openConnections, patience).toBe(1);
    return { upstream: nameOf('studio') };
  }

  /** For another model, which has the process read what was changed. */
  const askElsewhere = () => api.ask(generation);

  test('its connections are closed with the next request after it is removed', async () => {
    const { upstream } = await asked();
    await setEnabledOfUpstream(api.app.admin, access, { upstream, enabled: false });
    await removeUpstream(api.app.admin, upstream);
    await askElsewhere();
    await expect.poll(() => service.openConnections, patience).toBe(0);
  });

  test('its connections are closed with the next request after it is changed', async () => {
    const { upstream } = await asked();
    await editUpstream(api.app.admin, access, { upstream, patch: { limits: { queueMax: 7 } } });
    await askElsewhere();
    await expect.poll(() => service.openConnections, patience).toBe(0);
  });
});
