import type { WebSocket } from 'undici';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiLimits } from './limits.ts';
import { type News, PromptWatch } from './prompt-watch.ts';

const asked = '6a1f4b52-0f0c-4f5e-9f37-1d1d9b1f0a11';
const given = '00000000-0000-4000-8000-000000000001';
const picture = await makePicture('png');

class FakeSocket extends EventTarget {
  readonly OPEN = 1;
  readyState = 1;

  say(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ type, data }) }));
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

function watching() {
  const socket = new FakeSocket();
  // The members that a watch uses.
  const stand = socket as unknown as WebSocket;
  const watch = new PromptWatch(stand, asked, {
    outputNode: '9',
    previews: 1,
    hangUp: () => socket.close(),
  });
  const next = () => {
    const clock = new ManualClock();
    const news = watch.next(1000, { clock, signal: new AbortController().signal });
    clock.advance(1000);
    return news;
  };
  const all = async () => {
    const news: News[] = [];
    for (let one = await next(); one; one = await next()) news.push(one);
    return news;
  };
  return { socket, watch, next, all };
}

describe('a watch over a prompt', () => {
  it.each([
    [comfyuiLimits.framesMax, []],
    [comfyuiLimits.framesMax + 1, ['failed', 'lost']],
  ])('that hears %i messages tells %j', async (count, kinds) => {
    const { socket, watch, all } = watching();
    watch.follow(asked);
    const frame = new MessageEvent('message', { data: '{}' });
    for (let heard = 0; heard < count; heard++) socket.dispatchEvent(frame);
    expect((await all()).map(({ kind }) => kind)).toEqual(kinds);
    expect(watch.isDone).toBe(false);
  });

  it('tells afterwards what came before the server said what it calls the prompt', async () => {
    const { socket, watch, all } = watching();
    const output = { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] };
    socket.say('executed', { prompt_id: given, node: '9', output });
    socket.say('executing', { prompt_id: given, node: null });
    expect(await all()).toEqual([]);
    watch.follow(given);
    expect((await all()).map(({ kind }) => kind)).toEqual(['saved', 'ended']);
  });

  it.each([
    [comfyuiLimits.earlyFramesMax, ['ended']],
    [comfyuiLimits.earlyFramesMax + 1, []],
  ])('keeps the first of %i early messages: %j', async (count, kinds) => {
    const { socket, watch, all } = watching();
    for (let heard = 1; heard < count; heard++) socket.say('execution_start', { prompt_id: given });
    socket.say('executing', { prompt_id: given, node: null });
    watch.follow(given);
    expect((await all()).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('says how many come before its own, while that falls and until it starts', async () => {
    const { socket, watch, all } = watching();
    const status = (remaining: number) =>
      socket.say('status', { status: { exec_info: { queue_remaining: remaining } } });
    status(3);
    watch.follow(asked);
    // Others join behind it, then two before it are done.
    for (const remaining of [5, 3, 2, 4]) status(remaining);
    socket.say('execution_start', { prompt_id: asked });
    status(1);
    expect(await all()).toEqual([
      { kind: 'queued', behind: 2 },
      { kind: 'queued', behind: 1 },
    ]);
  });

  it('says nothing of a queue in which it is alone', async () => {
    const { socket, watch, all } = watching();
    watch.follow(asked);
    socket.say('status', { status: { exec_info: { queue_remaining: 1 } } });
    expect(await all()).toEqual([]);
  });

  it('knows nothing of other prompts once it knows its own', async () => {
    const { socket, watch, all } = watching();
    watch.follow(asked);
    socket.say('executing', { prompt_id: given, node: null });
    expect(await all()).toEqual([]);
    expect(watch.hasStarted).toBe(false);
  });

  it('tells at once of a socket that was closed before it listened', async () => {
    const socket = new FakeSocket();
    socket.readyState = 3;
    const stand = socket as unknown as WebSocket;
    const watch = new PromptWatch(stand, asked, {
      outputNode: '9',
      previews: 0,
      hangUp: () => {},
    });
    const { signal } = new AbortController();
    expect(await watch.next(1000, { clock: new ManualClock(), signal })).toEqual({ kind: 'lost' });
  });

  it('tells the end once', async () => {
    const { socket, watch, all } = watching();
    watch.follow(asked);
    for (let said = 0; said < 3; said++) socket.say('executing', { prompt_id: asked, node: null });
    expect((await all()).map(({ kind }) => kind)).toEqual(['ended']);
  });

  it('keeps no preview but those that are wanted', async () => {
    const { socket, watch, all } = watching();
    watch.follow(asked);
    const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 2]);
    for (let preview = 0; preview < 1000; preview++) {
      const { buffer } = Uint8Array.from(Buffer.concat([header, picture]));
      socket.dispatchEvent(new MessageEvent('message', { data: buffer }));
    }
    expect((await all()).map(({ kind }) => kind)).toEqual(['preview']);
  });

  it('stops waiting when its signal says so', async () => {
    const { watch } = watching();
    const stop = new AbortController();
    const clock = new ManualClock();
    const waiting = watch.next(1000, { clock, signal: stop.signal });
    await clock.untilSleeping();
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(clock.sleeping).toBe(0);
  });
});
