import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { serveToFetch } from '../../../test/support/callers/fetching.ts';
import { patience } from '../../../test/support/patience.ts';
import { systemClock } from '../clock.ts';
import { createSafeFetch } from './safe-fetch.ts';

const param = 'image';

it('a name that a caller chose is asked of the name servers, for both kinds of addresses', async () => {
  const server = await serveToFetch((_request, response) => void response.end('anything'));
  const dns = await serveNames((question) =>
    question.type === 1 ? answer(question) : none(question),
  );
  const { fetchImage } = createSafeFetch({
    clock: systemClock,
    allowedPrivate: ['127.0.0.1'],
    nameServers: [dns.address],
  });
  await fetchImage(`http://pictures.example:${server.port}/`, { param });
  expect(dns.asked.sort()).toEqual(['pictures.example 1', 'pictures.example 28']);
  expect(server.connections()).toBe(1);
});

it('all of several names are asked for at once, also where none is answered', async () => {
  const dns = await serveNames(() => null);
  const over = new AbortController();
  const { fetchImage } = createSafeFetch({ clock: systemClock, nameServers: [dns.address] });
  const names = Array.from({ length: 8 }, (_, i) => `silent-${i}.example`);
  const fetched = names.map((name) =>
    fetchImage(`http://${name}/`, { param, signal: over.signal }).catch(() => 'left'),
  );
  // The system's own way has two under way at the most.
  await expect
    .poll(() => names.filter((name) => dns.asked.includes(`${name} 1`)), patience)
    .toEqual(names);
  over.abort();
  expect(await Promise.all(fetched)).toEqual(names.map(() => 'left'));
});

it('a name that nobody knows leads nowhere', async () => {
  const dns = await serveNames(unknown);
  const { fetchImage } = createSafeFetch({ clock: systemClock, nameServers: [dns.address] });
  await expect(fetchImage('http://pictures.example/', { param })).rejects.toThrow(
    'image could not be fetched',
  );
});

interface Question {
  name: string;
  /** 1 for IPv4 addresses, 28 for IPv6. */
  type: number;
  /** As it came. */
  message: Buffer;
}

const headerBytes = 12;

async function serveNames(reply: (question: Question) => Buffer | null) {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const question = readQuestion(message);
    asked.push(`${question.name} ${question.type}`);
    const answered = reply(question);
    if (answered) socket.send(answered, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  return {
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    message: message.subarray(0, end),
  };
}

/** The question again, as an answer with so many addresses. */
function replyTo(
  { message }: Question,
  { code, answers }: { code: number; answers: number },
): Buffer {
  const reply = Buffer.from(message);
  reply.writeUInt16BE(0x81_80 | code, 2);
  reply.writeUInt16BE(answers, 6);
  // What else was asked for is left out.
  reply.writeUInt32BE(0, 8);
  return reply;
}

function answer(question: Question): Buffer {
  const address = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([replyTo(question, { code: 0, answers: 1 }), address]);
}

function none(question: Question): Buffer {
  return replyTo(question, { code: 0, answers: 0 });
}

function unknown(question: Question): Buffer {
  return replyTo(question, { code: 3, answers: 0 });
}
