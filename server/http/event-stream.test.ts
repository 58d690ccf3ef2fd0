import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { patience } from '../../test/support/patience.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { EventStream } from './event-stream.ts';

/** More than what the operating system takes for a client that does not read. */
const large = Buffer.alloc(32 * 1024 ** 2, 'x');

/** An answer that has not begun, and its client, which reads when it is told to. */
async function openAnswer(): Promise<{ response: ServerResponse; client: Socket }> {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => asked.resolve(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.pause().on('error', () => {});
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { response: await asked.promise, client };
}

const never = { openAfterMs: 3_600_000, keepAliveMs: 3_600_000 };

async function openStream(): Promise<{ stream: EventStream; client: Socket }> {
  const { response, client } = await openAnswer();
  const stream = new EventStream({ response, clock: systemClock, headers: {}, ...never });
  return { stream, client };
}

test('the memory of an event is needed until the client has it', async () => {
  const { stream, client } = await openStream();
  let isSent = false;
  const note = () => {
    isSent = true;
  };
  expect(stream.write([Buffer.from('data: '), large, Buffer.from('\n\n')], note)).toBe(true);
  await systemClock.sleep(100);
  expect(isSent).toBe(false);
  client.resume();
  await expect.poll(() => isSent, patience).toBe(true);
});

test('nothing is written for a client that has left', async () => {
  const { stream, client } = await openStream();
  client.destroy();
  const event = [Buffer.from('data: 1\n\n')];
  await expect.poll(() => stream.write(event), patience).toBe(false);
  expect(stream.end(event)).toBe(false);
});

test('nothing waits for a client that has left before its stream begins', async () => {
  const { response, client } = await openAnswer();
  client.destroy();
  await once(response, 'close');
  const sleeps: Promise<void>[] = [];
  const sleep: Clock['sleep'] = (ms, signal) => {
    const slept = systemClock.sleep(ms, signal);
    sleeps.push(slept);
    return slept;
  };
  const clock = { ...systemClock, sleep };
  const times = { openAfterMs: 10, keepAliveMs: 3_600_000 };
  const stream = new EventStream({ response, clock, headers: {}, ...times });
  await systemClock.sleep(50);
  const ends = await Promise.race([Promise.allSettled(sleeps), systemClock.sleep(50)]);
  expect(ends).toMatchObject([{ status: 'rejected' }]);
  expect(stream.write([Buffer.from('data: 1\n\n')])).toBe(false);
});

test('the last event and the end are there together', async () => {
  const { stream, client } = await openStream();
  let text = '';
  client.on('data', (bytes) => {
    text += bytes.toString();
  });
  expect(stream.end([Buffer.from('data: 1'), Buffer.from('\n\n')])).toBe(true);
  expect(stream.write([Buffer.from('data: 2\n\n')])).toBe(false);
  client.resume();
  await expect.poll(() => text, patience).toMatch(/data: 1\n\n\r\n0\r\n\r\n$/);
});
