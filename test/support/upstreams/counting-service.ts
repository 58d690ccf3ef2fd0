/** A service that speaks the images API, holds every picture until the test lets it go, and counts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { makePicture } from '../pictures.ts';

export interface CountingService {
  /** Up to and with `/v1`. */
  baseUrl: string;
  /** Pictures that it was asked for so far. */
  readonly asked: number;
  /** Pictures that it is asked for at this moment. */
  readonly running: number;
  /** The most there ever were. */
  readonly most: number;
  /** Sends a partial image to all that wait, which have to ask for streams; resolves when the system has it. */
  showPartials(): Promise<void>;
  /** Answers those that wait longest. */
  letGo(pictures: number): void;
}

export const countedModel = 'gpt-image-2';

export async function startCountingService(): Promise<CountingService> {
  const png = (await makePicture('png', { width: 32, height: 32 })).toString('base64');
  const waiting: { answer: () => void; showPartial: () => Promise<void> }[] = [];
  let asked = 0;
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: [{ id: countedModel }] }));
      return;
    }
    asked++;
    most = Math.max(most, ++running);
    let isOver = false;
    const end = () => {
      if (!isOver) running--;
      isOver = true;
    };
    response.once('close', end);
    const answer = () => {
      // Before the answer: once that is read, the next call may be on its way.
      end();
      response.end(
        response.headersSent
          ? event('completed')
          : JSON.stringify({ created: 1, data: [{ b64_json: png }] }),
      );
    };
    const event = (kind: string) =>
      `data: ${JSON.stringify({ type: `image_generation.${kind}`, b64_json: png })}\n\n`;
    const showPartial = () => {
      response.setHeader('content-type', 'text/event-stream');
      return new Promise<void>((resolve) =>
        response.write(event('partial_image'), () => resolve()),
      );
    };
    void buffer(request).then(
      () => waiting.push({ answer, showPartial }),
      // The caller went away.
      () => {},
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get asked() {
      return asked;
    },
    get running() {
      return running;
    },
    get most() {
      return most;
    },
    showPartials: async () => {
      await Promise.all(waiting.map(({ showPartial }) => showPartial()));
    },
    letGo: (pictures) => {
      for (const { answer } of waiting.splice(0, pictures)) answer();
    },
  };
}
