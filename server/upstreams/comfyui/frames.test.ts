import { describe, expect, it } from 'vitest';
import { readBinaryFrame, readTextFrame } from './frames.ts';
import { comfyuiLimits } from './limits.ts';

const promptId = '6a1f4b52-0f0c-4f5e-9f37-1d1d9b1f0a11';
const text = (type: string, data: unknown) => readTextFrame(JSON.stringify({ type, data }));

describe('a text frame', () => {
  it.each([
    [
      { status: { exec_info: { queue_remaining: 3 } }, sid: 'x' },
      'status',
      { kind: 'queue', remaining: 3 },
    ],
    [{ prompt_id: promptId, timestamp: 1 }, 'execution_start', { kind: 'started', promptId }],
    [{ node: '3', prompt_id: promptId }, 'executing', { kind: 'executing', promptId, node: '3' }],
    [{ node: null, prompt_id: promptId }, 'executing', { kind: 'ended', promptId }],
    [
      { value: 5, max: 20, prompt_id: promptId, node: '3' },
      'progress',
      { kind: 'progress', promptId, share: 0.25 },
    ],
    [
      {
        prompt_id: promptId,
        nodes: {
          3: { value: 3, max: 4, state: 'running', node_id: '3' },
          4: { value: 1, max: 1, state: 'finished', node_id: '4' },
        },
      },
      'progress_state',
      { kind: 'progress', promptId, share: 0.75 },
    ],
    [
      {
        node: '9',
        prompt_id: promptId,
        output: { images: [{ filename: 'a.png', subfolder: 's', type: 'temp' }] },
      },
      'executed',
      {
        kind: 'saved',
        promptId,
        node: '9',
        files: [{ filename: 'a.png', subfolder: 's', type: 'temp' }],
      },
    ],
    [{ prompt_id: promptId }, 'execution_success', { kind: 'succeeded', promptId }],
    [
      { prompt_id: promptId, node_id: '3' },
      'execution_interrupted',
      { kind: 'interrupted', promptId },
    ],
    [
      { prompt_id: promptId, exception_type: 'ValueError', exception_message: 'x', traceback: [] },
      'execution_error',
      { kind: 'failed', promptId, error: { type: 'ValueError', message: 'x' } },
    ],
  ])('%j as %s is understood', (data, type, frame) => {
    expect(text(type, data)).toEqual(frame);
  });

  it.each([
    '',
    'null',
    '[]',
    '{"type": "executing"}',
    '{"type": "crystools.monitor", "data": {}}',
    '{"type":"executing","data":{"prompt_id":7,"node":"3"}}',
  ])('%s says nothing', (frame) => {
    expect(readTextFrame(frame)).toBeNull();
  });

  it('is read up to its limit', () => {
    const bare = JSON.stringify({
      type: 'execution_success',
      data: { prompt_id: promptId, x: '' },
    });
    const rest = comfyuiLimits.textFrameCharactersMax - bare.length;
    const long = (length: number) =>
      text('execution_success', { prompt_id: promptId, x: 'x'.repeat(length) });
    expect(long(rest)).not.toBeNull();
    expect(long(rest + 1)).toBeNull();
  });
});

describe('a binary frame', () => {
  const words = (...values: readonly number[]) =>
    Buffer.concat(values.map((value) => Buffer.from([0, 0, value >> 8, value & 255])));
  const image = Buffer.from('an image');
  const withMetadata = (metadata: unknown) => {
    const json = Buffer.from(JSON.stringify(metadata));
    return Buffer.concat([words(4, json.length), json, image]);
  };

  it('of type 1 is a picture of whoever is at work', () => {
    const frame = readBinaryFrame(Buffer.concat([words(1, 2), image]));
    expect(frame).toEqual({ kind: 'picture', promptId: null, nodes: [], bytes: image });
  });

  it('of type 4 says whose picture it is', () => {
    const frame = readBinaryFrame(
      withMetadata({
        prompt_id: promptId,
        node_id: '9.0.1',
        display_node_id: '9',
        real_node_id: '9',
      }),
    );
    expect(frame).toEqual({ kind: 'picture', promptId, nodes: ['9.0.1', '9', '9'], bytes: image });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['too little', words(1)],
    ['another type', Buffer.concat([words(3, 2), image])],
    ['metadata longer than the frame', Buffer.concat([words(4, 60_000), image])],
    ['metadata that is not JSON', Buffer.concat([words(4, 3), image])],
    ['metadata without a node', withMetadata({ prompt_id: promptId })],
  ])('of %s is no picture', (_, frame) => {
    expect(readBinaryFrame(frame)).toBeNull();
  });
});
