import { describe, expect, it } from 'vitest';
import type { Fault } from '../upstream.ts';
import { refusedPromptError } from './faults.ts';
import { readHistory } from './history-entry.ts';
import { comfyuiPresets } from './presets.ts';
import { comfyuiSettings } from './settings.ts';
import { checkWorkflow } from './workflow.ts';

const given = comfyuiSettings.parse(comfyuiPresets[0]?.settings).workflows['sdxl-generate'];
if (!given) throw new Error('the preset has the workflow');
/** Node 5 has the size, node 3 the steps. */
const workflow = checkWorkflow('sdxl-generate', given);

describe('a workflow that is not accepted', () => {
  const wrong = (node: string, input_name: string, type = 'value_bigger_than_max') => ({
    [node]: { errors: [{ type, extra_info: { input_name } }] },
  });

  it.each<[string, object, Fault]>([
    ['a width out of range', wrong('5', 'width'), 'bad_request'],
    ['a height out of range', wrong('5', 'height', 'value_smaller_than_min'), 'bad_request'],
    ['steps out of range', wrong('3', 'steps'), 'unsupported'],
    ['a width that is no number', wrong('5', 'width', 'invalid_input_type'), 'unsupported'],
    ['a width and steps', { ...wrong('5', 'width'), ...wrong('3', 'steps') }, 'unsupported'],
    ['nothing', {}, 'unsupported'],
  ])('for %s', (_name, node_errors, fault) => {
    const said = { error: { type: 'prompt_outputs_failed_validation' }, node_errors };
    expect(refusedPromptError(said, workflow)).toMatchObject({ fault, status: 400 });
  });
});

describe('the history', () => {
  const saved = { outputs: { '9': { images: [{ filename: 'a.png' }] } } };

  it.each([
    ['says nothing of how it ended', saved],
    ['has no word for it', { ...saved, status: null }],
    ['calls it completed', { ...saved, status: { completed: true, messages: [] } }],
  ])('of a workflow that %s is that of one that succeeded', (_name, entry) => {
    const read = readHistory({ id: entry }, 'id');
    expect(read?.error).toBeNull();
    expect(read?.saved.get('9')).toMatchObject([{ filename: 'a.png', type: 'output' }]);
  });
});
