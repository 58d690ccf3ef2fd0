import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHints } from '../v1/request-hints.ts';
import { ClientConnections } from './client-connections.ts';
import { isHandedOver } from './handed-over.ts';
import { takeOver } from './take-over.ts';

/** More than the system takes of an answer that nobody reads. */
const answerBytes = 15 << 20;
/** A turn lasts, as one with a commit in it does: meanwhile the caller reads. */
const turnMs = 10;
/** How many turns the whole answer takes varies, and Node does not tell of each one late. */
const wholeOnesMin = 2;
const rounds = 8;

type Cutter = 'a stop' | 'the loss of its run';

describe.each<[Cutter]>([['a stop'], ['the loss of its run']])(
  'an answer that %s cuts off',
  (by) => {
    it.each([1, 3])('is handed over when its caller has all of its %i writes', async (writes) => {
      const cutOff = await openBench(writes, by);
      const outcomes = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        let wholeOnes = 0;
        for (let turns = 0; wholeOnes < wholeOnesMin; turns++) {
          const outcome = await cutOff(turns);
          outcomes.add(outcome);
          if (outcome !== 'cut off') wholeOnes++;
        }
      }
      expect([...outcomes].toSorted()).toEqual(['cut off', 'handed over and whole']);
    });
  },
);

/** Answers a request and cuts it off so many turns of the event loop after its caller begins to read. */
async function openBench(writes: number, by: Cutter): Promise<(turns: number) => Promise<string>> {
  const server = fastify();
  const connections = new ClientConnections(server.server);
  let asked = Promise.withResolvers<{ request: FastifyRequest; reply: FastifyReply }>();
  server.get('/', (request, reply) => {
    takeOver(reply);
    asked.resolve({ request, reply });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  // A listening TCP server's address is never a string.
  const { port } = server.server.address() as AddressInfo;
  return async (turns) => {
    asked = Promise.withResolvers();
    const caller = new Worker(callerProgram, { eval: true, workerData: port });
    const read = once(caller, 'message') as Promise<[number]>;
    const { request, reply } = await asked.promise;
    const { cut } = readHints(request, reply);
    const response = reply.raw;
    response.writeHead(200, { 'content-length': answerBytes, connection: 'close' });
    for (let write = 0; write < writes; write++) response.write(Buffer.alloc(answerBytes / writes));
    response.end();
    tell(caller);
    for (let turn = 0; turn < turns; turn++) await busyTurn();
    if (by === 'a stop') {
      connections.noteHandedOver();
      server.server.closeAllConnections();
    } else cut();
    if (!response.closed) await once(response, 'close');
    const hasAll = isHandedOver(response);
    const [bytes] = await read;
    const isWhole = bytes > answerBytes;
    if (hasAll !== isWhole) return isWhole ? 'whole, not handed over' : 'handed over, not whole';
    return hasAll ? 'handed over and whole' : 'cut off';
  };
}

/** Asks for an answer, and reads it when it is told to. In a thread of its own, so that it reads while this one is busy; tells how many bytes came. */
const callerProgram = `
  const { parentPort, workerData: port } = require('node:worker_threads');
  const socket = require('node:net').connect(port, '127.0.0.1');
  let bytes = 0;
  socket.pause();
  socket.write('GET / HTTP/1.1\\r\\nHost: tests\\r\\n\\r\\n');
  socket.on('data', (chunk) => { bytes += chunk.length; });
  socket.on('error', () => {});
  socket.on('close', () => parentPort.postMessage(bytes));
  parentPort.once('message', () => socket.resume());
`;

function tell(caller: Worker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  caller.postMessage('read');
}

async function busyTurn(): Promise<void> {
  const until = performance.now() + turnMs;
  while (performance.now() < until);
  await afterThisTurn();
}
