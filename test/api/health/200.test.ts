import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';

describeApi((api) => {
  test('a service that lives says so to everybody', async () => {
    expect(await api.get('/healthz', { user: null })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
  });

  test('a service that can take requests says so to everybody', async () => {
    expect(await api.get('/readyz', { user: null })).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    });
  });
});
