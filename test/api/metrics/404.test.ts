import { expect, test } from 'vitest';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';

const nothing = { status: 404, code: 'not_found', param: null };

describeApi((api) => {
  test('there are no metrics unless they are asked for', async () => {
    expect(api.app.app.metricsUrl).toBeNull();
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect(outcomeOf(await api.send(method, '/metrics'))).toEqual(nothing);
    }
  });
});

describeApi(
  (api) => {
    test('metrics with a port of their own are not on the main one', async () => {
      const metrics = await fetch(`${api.app.app.metricsUrl}/metrics`);
      expect(metrics.status).toBe(200);
      const headers = { authorization: 'Bearer 0123456789abcdef' };
      expect(outcomeOf(await api.get('/metrics', { user: null }))).toEqual(nothing);
      expect(outcomeOf(await api.get('/metrics', { user: null, headers }))).toEqual(nothing);
    });

    test('nothing but metrics is on their port', async () => {
      for (const path of ['/', '/v1/models', '/healthz', '/metrics/all']) {
        const response = await fetch(`${api.app.app.metricsUrl}${path}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
      }
    });
  },
  { config: { metricsPort: 0 } },
);
