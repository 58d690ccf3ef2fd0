/**
 * A program of its own: an upstream that holds each request for a while, and then answers it; those
 * whose prompt says `at once`, at once. `GET /held` tells how many it holds now.
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { imagesAnswer } from './canned-answers.ts';
import { noisePictureOfBase64 } from './noise-picture.ts';

const [port, holdMs, characters] = process.argv.slice(2).map(Number);
const answer = imagesAnswer(noisePictureOfBase64(characters ?? 0).base64);
const list = '{"object":"list","data":[{"id":"gpt-image-2"}]}';

let held = 0;

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'GET') {
    response.end(request.url === '/held' ? String(held) : list);
    return;
  }
  text(request).then(
    (body) => respond(response, body),
    () => response.destroy(),
  );
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 });

async function respond(response: ServerResponse, body: string): Promise<void> {
  if (!body.includes('at once')) {
    held++;
    await sleep(holdMs);
    held--;
  }
  response.end(answer);
}
