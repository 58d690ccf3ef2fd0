/**
 * A program of its own: asks the address that it is told twice over one connection, and says what it was answered. It
 * does not close the connection.
 */
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { must } from '../../../server/lib/assert.ts';
import { Http1Client } from '../../../server/lib/outgoing/http1-client.ts';

const url = new URL(must(process.argv[2], 'an address'));
const client = new Http1Client({ firstByteMs: 60_000, idleMs: 60_000 });
const request = { method: 'GET', head: `GET / HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`, body: [] };
await ask();
// Until the connection is free.
for (let turns = 0; turns < 4; turns++) await afterThisTurn();
await ask();

async function ask(): Promise<void> {
  const answer = await client.send(url, request, new AbortController().signal);
  for await (const piece of answer.body) process.stdout.write(piece);
}
