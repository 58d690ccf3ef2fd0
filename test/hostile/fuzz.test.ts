import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { breakAnswer } from '../../bench/fuzz/broken-answers.ts';
import { breakRequest, renderRequest, requestBases } from '../../bench/fuzz/broken-requests.ts';
import { runFuzz } from '../../bench/fuzz/fuzz.ts';
import { judgeRequest, judgeResult } from '../../bench/fuzz/judge.ts';
import type { WireAnswer } from './wire-answer.ts';

/** A few rounds against a real service, on a busy machine. */
const patienceMs = 300_000;

test(
  'a few rounds of the fuzzer find nothing',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tintype-fuzz-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const report = await runFuzz({
      seed: 5,
      rounds: 3,
      seconds: null,
      sides: ['requests', 'upstreams'],
      folder,
    });
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ rounds: 3, cases: 12 });
  },
  patienceMs,
);

describe('the fuzzer', () => {
  const tools = { apiKey: 'sk-tin-x', prompt: 'a fox', picture: Buffer.from('\x89PNG\r\n') };
  const right: WireAnswer = {
    status: 200,
    headers: [],
    body: Buffer.from('{"data":[{"b64_json":"AAAA"}]}'),
    framing: 'length',
    delivery: { kind: 'whole' },
  };

  test.each(requestBases)('breaks a %s in the same way each time', async (base) => {
    const mutations = [
      { name: 'json', seed: 3 },
      { name: 'body', seed: 4 },
      { name: 'head', seed: 5 },
    ];
    const once = renderRequest(await breakRequest(base, mutations, tools));
    const whole = renderRequest(await breakRequest(base, [], tools));
    expect(renderRequest(await breakRequest(base, mutations, tools))).toEqual(once);
    expect(once).not.toEqual(whole);
  });

  test('breaks an answer in the same way each time', async () => {
    const mutations = [
      { name: 'json', seed: 3 },
      { name: 'status', seed: 9 },
    ];
    const once = await breakAnswer(right, mutations);
    expect(await breakAnswer(right, mutations)).toEqual(once);
    expect(once).not.toEqual(right);
  });

  test('sees an error of the inside, a missing picture, a told credential, an open connection', () => {
    const head = 'HTTP/1.1 500 Any\r\nx-request-id: tr_1';
    const broken = { status: 500, text: `${head}\r\n\r\n{"error":"at read (node:internal/fs)"}` };
    expect(judgeRequest({ answers: [broken], rest: '', isClosed: true })).toHaveLength(2);
    expect(judgeRequest({ answers: [], rest: '', isClosed: false })).toHaveLength(1);
    const text = 'HTTP/1.1 200 OK\r\n\r\n{"data":[],"x":"sk-upstream"}';
    const result = { status: 200, text, isStream: false, credential: 'sk-upstream' };
    expect(judgeResult(result)).toHaveLength(2);
  });
});
