import { expect, onTestFinished, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { bytesOf, noSignal, openTestHttp, serve } from '../../../test/support/services/outgoing.ts';
import { createSafeFetch } from './safe-fetch.ts';

/** As where the files are replaced, or no more can be opened, for a while. */
function breakLoading(): void {
  for (const name of ['./guarded-http-dispatch.ts', './safe-fetch-requests.ts']) {
    vi.doMock(name, () => {
      throw new Error('it cannot be read');
    });
  }
  onTestFinished(mendLoading);
}

function mendLoading(): void {
  vi.doUnmock('./guarded-http-dispatch.ts');
  vi.doUnmock('./safe-fetch-requests.ts');
}

test('what could not be loaded is told, is closed all the same, and is loaded the next time', async () => {
  const service = await serve((_request, response) => void response.end('whole'));
  const http = openTestHttp(service.origin);
  const url = new URL(service.origin);
  const form = { method: 'POST', url, body: new FormData() } as const;
  breakLoading();
  // What this machine cannot load says nothing of the service.
  const notLoaded = { problem: 'connect', isOurs: true };
  await expect(http.send(form, noSignal)).rejects.toMatchObject(notLoaded);
  const closed = openTestHttp(service.origin);
  await expect(closed.send(form, noSignal)).rejects.toMatchObject({ problem: 'connect' });
  await closed.close();
  mendLoading();
  expect((await bytesOf(await http.send(form, noSignal))).toString()).toBe('whole');
});

test('a post that cannot be sent for want of its library has failed', async () => {
  breakLoading();
  const { post } = createSafeFetch({ clock: new ManualClock() });
  const outcome = await post('http://127.0.0.1:9/', { headers: {}, body: '', timeoutMs: 1_000 });
  expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('loaded') });
});
