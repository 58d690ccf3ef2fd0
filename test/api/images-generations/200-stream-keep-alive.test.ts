import { expect, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { startTestApp } from '../../support/app.ts';
import { readEventStream } from '../../support/callers/event-stream.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const keepAliveMs = 4_000;

forEachEngine((engine) => {
  test('a stream with nothing to show says so in comments', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), {
      clock,
      config: { keepAliveIntervalMs: keepAliveMs },
    });
    try {
      const user = await app.addUser();
      const prompt = 'a fox [[actual=32x32]] [[delay=60s]]';
      const idle = clock.sleeping;
      const asked = app.post(generation.path, user, { model: 'gen-image-2', prompt, stream: true });
      // The request's deadline, the sandbox's delay, and the stream's first comment.
      await clock.untilSleeping(idle + 3);

      // An early failure would still have its own status.
      clock.advance(2_999);
      expect(await Promise.race([asked, Promise.resolve('no headers')])).toBe('no headers');
      clock.advance(1);
      const response = await asked;
      expect(response.status).toBe(200);
      const reader = must(response.body, 'a body').getReader();
      const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
      let text = await next();
      for (let count = 2; count <= 4; count++) {
        await clock.untilSleeping(idle + 3);
        clock.advance(keepAliveMs);
        text += await next();
      }
      expect(text).toBe(': keep-alive\n'.repeat(4));

      await clock.untilSleeping(idle + 3);
      clock.advance(60_000);
      for (let piece = await next(); piece !== ''; piece = await next()) text += piece;
      const { events } = readEventStream(text);
      expect(events.map(({ name }) => name)).toEqual(['image_generation.completed']);
    } finally {
      await app.stop();
    }
  });

  test('a stream that fails late says so in an event', async () => {
    const clock = new ManualClock();
    const app = await startTestApp(engine.locationOf(await engine.open()), {
      clock,
      config: { attemptsPerPictureMax: 1 },
    });
    try {
      const user = await app.addUser();
      const prompt = 'a fox [[first=0ms]] [[delay=30s]] [[drop]]';
      const idle = clock.sleeping;
      const asked = app.post(generation.path, user, { model: 'gen-image-2', prompt, stream: true });
      await clock.untilSleeping(idle + 3);
      clock.advance(3_000);
      const response = await asked;
      expect(response.status).toBe(200);
      clock.advance(27_000);
      const { events } = readEventStream(await response.text());
      expect(events.map(({ name }) => name)).toEqual(['error']);
    } finally {
      await app.stop();
    }
  });
});
