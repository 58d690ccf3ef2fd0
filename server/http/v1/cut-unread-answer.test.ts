import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { patience } from '../../../test/support/patience.ts';
import { cutSlowReader, deliveryLimitMs } from './cut-unread-answer.ts';

const timeoutMs = 1_000;
const limitMs = deliveryLimitMs(timeoutMs);
/** More than any system keeps for a connection. */
const answerBytes = 64 * 1_048_576;

/** An answer that has been written, and its caller, who has read nothing of it. */
async function answerTo(bytes: number) {
  const clock = new ManualClock();
  const answered = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    response.end(Buffer.alloc(bytes));
    cutSlowReader(response, { clock, timeoutMs });
    answered.resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const caller = connect(port, '127.0.0.1').pause();
  caller.on('error', () => {});
  onTestFinished(() => void caller.destroy());
  caller.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  return { clock, caller, response: await answered.promise };
}

/** Takes a little, and again, as long as there is something. */
async function sip(caller: Socket): Promise<void> {
  caller.read(1);
  await new Promise(setImmediate);
}

test('who takes an answer bit by bit has its time and no longer', async () => {
  const { clock, caller, response } = await answerTo(answerBytes);
  for (let passedMs = 0; passedMs < limitMs - 1; passedMs += timeoutMs / 2) {
    await sip(caller);
    clock.advance(Math.min(timeoutMs / 2, limitMs - 1 - passedMs));
  }
  await sip(caller);
  expect(response.destroyed).toBe(false);
  clock.advance(1);
  await expect.poll(() => response.destroyed, patience).toBe(true);
  expect(response.writableFinished).toBe(false);
});

test('who takes it in time is left alone', async () => {
  const { clock, caller, response } = await answerTo(answerBytes);
  caller.resume();
  await once(response, 'close');
  expect(response.writableFinished).toBe(true);
  expect(clock.sleeping).toBe(0);
});

test('an answer that went out in one write is not watched', async () => {
  const { clock } = await answerTo(10);
  expect(clock.sleeping).toBe(0);
});
