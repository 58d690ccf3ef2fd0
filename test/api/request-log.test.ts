import { beforeEach, expect, it, vi } from 'vitest';
import { readWallet } from '../../server/wallets/wallet-store.ts';
import { describeApi } from '../support/callers/api.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { ManualClock } from '../support/manual-clock.ts';

const lines: Record<string, unknown>[] = [];
const options = {
  clock: new ManualClock(),
  // Each line is one JSON object.
  onLogLine: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
};

beforeEach(() => {
  lines.length = 0;
});

describeApi((api) => {
  it('has one line for a request', async () => {
    const { headers } = await api.ask(generation);
    const trace_id = headers.get('x-request-id');
    await vi.waitFor(() => expect(linesOf(trace_id)).toHaveLength(1));
    expect(linesOf(trace_id)).toMatchObject([
      { level: 'info', method: 'POST', route: '/v1/images/generations', status: 200, code: null },
    ]);
  });

  it('tells of a client that left before its answer', async () => {
    const user = await api.app.addUser();
    const impatience = new AbortController();
    const { signal } = impatience;
    const call = api.ask(generation, { prompt: 'a fox [[delay=8s]]' }, { user, signal });
    await vi.waitFor(async () => {
      expect(await readWallet(api.app.database, user.id)).toMatchObject({ inFlight: 1 });
    });
    impatience.abort();
    await expect(call).rejects.toThrow('aborted');
    const left = expect.objectContaining({ msg: 'request', status: null, code: 'client_gone' });
    await vi.waitFor(() => expect(lines).toContainEqual(left));
  });

  it('tells of an upstream that failed in the middle of a stream', async () => {
    const fields = { prompt: 'a fox [[fail=protocol@partial1]]', stream: true, partial_images: 2 };
    const { headers } = await api.ask(generation, fields);
    const trace_id = headers.get('x-request-id');
    await vi.waitFor(() => expect(linesOf(trace_id)).toHaveLength(3));
    expect(linesOf(trace_id)).toMatchObject([
      { level: 'warn', msg: 'upstream call failed', fault: 'protocol', upstream: 'sandbox' },
      { level: 'warn', msg: 'upstream failed' },
      { level: 'info', msg: 'request', status: 200, code: 'upstream_error' },
    ]);
  });

  // The last one: the upstream rests from then on.
  it('does not take upstreams that all rest for a failure of ours', async () => {
    await api.ask(generation, { prompt: 'a fox [[fail=busy,retry_after=60s]]' });
    const { status, headers } = await api.ask(generation);
    const trace_id = headers.get('x-request-id');
    expect(status).toBe(503);
    await vi.waitFor(() => expect(linesOf(trace_id)).toHaveLength(3));
    expect(linesOf(trace_id)).toMatchObject([
      { level: 'debug', msg: 'upstream passed over' },
      { level: 'warn', msg: 'upstream failed', err: { code: 'unavailable' } },
      { level: 'info', msg: 'request', status: 503, code: 'unavailable' },
    ]);
  });
}, options);

function linesOf(traceId: string | null) {
  return lines.filter(({ trace_id }) => trace_id === traceId);
}
