/** The log has the named fields of a request and nothing else of it. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { cellsOf } from '../docs/document-tables.ts';
import { type Api, describeApi } from '../support/callers/api.ts';
import { exchange } from '../support/callers/raw-http.ts';
import {
  dot,
  formEdit,
  formOf,
  generation,
  json,
  jsonEdit,
} from '../support/callers/ways-to-ask.ts';
import { canaryWord, findCanaries } from '../support/history/canaries.ts';

const document = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
const documented = cellsOf(document, 'log fields').map(([cell]) => cell?.replaceAll('`', ''));

/** As they were written, line breaks and all. */
const written: string[] = [];

describeApi(
  (api) => {
    beforeEach(() => {
      written.length = 0;
    });

    test('a request has the documented fields, in their order', async () => {
      const { headers, text } = await api.ask(jsonEdit, { model: 'gen-image-2' });
      const line = await lineOf(headers.get('x-request-id'));
      expect(Object.keys(line)).toEqual(documented);
      expect(line).toMatchObject({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        method: 'POST',
        route: '/v1/images/edits',
        status: 200,
        code: null,
        duration_ms: expect.any(Number),
        upstream_ms: expect.any(Number),
        operation: 'edit',
        model: 'gen-image-2',
        user_id: api.user.id,
        key_id: api.user.apiKeyId,
        bytes_in: expect.any(Number),
        msg: 'request',
      });
      expect(line['bytes_out']).toBeGreaterThan(text.length);
      expect(line['duration_ms']).toBeGreaterThanOrEqual(Number(line['upstream_ms']) - 1);
    });

    test('a request that failed has the same, as far as they are known', async () => {
      const wrongKey = { apiKey: 'sk-tin-wrong' };
      const answers = [
        await api.ask(generation, {}, { user: wrongKey }),
        await api.ask(generation, { model: 'no-such-model' }),
        await api.get('/v1/models'),
        await api.get('/nowhere', { user: null }),
      ];
      const lines = await Promise.all(
        answers.map(({ headers }) => lineOf(headers.get('x-request-id'))),
      );
      for (const line of lines) expect(Object.keys(line)).toEqual(documented);
      const nobody = { user_id: null, key_id: null };
      const somebody = { user_id: api.user.id, key_id: api.user.apiKeyId };
      const nothing = { operation: null, model: null, upstream_ms: null };
      expect(lines).toMatchObject([
        { ...nobody, ...nothing, status: 401, code: 'unauthorized' },
        { ...somebody, ...nothing, operation: 'generation', status: 400 },
        { ...somebody, ...nothing, status: 200, code: null },
        { ...nobody, ...nothing, status: 404, code: 'not_found', route: null },
      ]);
    });

    test('two requests on one connection have their own bytes', async () => {
      const lengths = [10_000, 20_000];
      const requests = lengths.map((length) => requestOf(api, 'x'.repeat(length)));
      await exchange(api.app.baseUrl, requests.join(''));
      const lines = await vi.waitFor(() => {
        const found = written.map(parsed).filter(({ route }) => route === '/v1/models');
        expect(found).toHaveLength(2);
        return found;
      });
      const sum = lines.reduce((bytes, line) => bytes + Number(line['bytes_in']), 0);
      expect(sum).toBe(requests.join('').length);
    });

    test('nothing that a caller sends gets into the log', async () => {
      const word = canaryWord();
      const canaries = [
        { name: 'the word', bytes: Buffer.from(word) },
        { name: 'the key', bytes: Buffer.from(api.user.apiKey.slice(7, -4)) },
      ];
      const count = await sendEverywhere(api, word);
      await vi.waitFor(() => {
        expect(written.map(parsed).filter(({ msg }) => msg === 'request')).toHaveLength(count);
      });
      const content = Buffer.from(written.join(''));
      expect(findCanaries(canaries, [{ name: 'the log', content }])).toEqual([]);
    });

    test('nobody can write a line of their own', async () => {
      const forged = '\n{"level":"error","msg":"forged"}\n';
      const bodies = [
        { model: forged },
        { prompt: `${forged} [[fail=refused]]`, user: forged },
        { size: forged },
        { [forged]: forged },
      ];
      for (const body of bodies) await api.ask(generation, body);
      await api.get(`/v1/models/${encodeURIComponent(forged)}?${encodeURIComponent(forged)}`);
      const headers = { 'idempotency-key': JSON.stringify(forged), 'user-agent': '\\n{}' };
      await api.ask(generation, {}, { headers });
      await vi.waitFor(() => {
        expect(written.map(parsed).filter(({ msg }) => msg === 'request')).toHaveLength(6);
      });
      for (const line of written) {
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(parsed(line)['msg']).not.toBe('forged');
      }
      expect(written.join('')).not.toContain('forged');
    });
  },
  { onLogLine: (line) => written.push(line) },
);

function requestOf({ user }: Api, filling: string): string {
  return [
    'GET /v1/models HTTP/1.1',
    'host: a',
    `authorization: Bearer ${user.apiKey}`,
    `x-filling: ${filling.slice(0, 5_000)}`,
    '',
    '',
  ].join('\r\n');
}

/** A word in each header, query and body; resolves with the number of requests. */
async function sendEverywhere(api: Api, word: string): Promise<number> {
  const names = ['user-agent', 'referer', 'cookie', 'origin', 'accept', 'x-forwarded-for'];
  const more = ['traceparent', 'tracestate', 'x-request-id', 'idempotency-key', `x-${word}`];
  const headers = Object.fromEntries([...names, ...more].map((name) => [name, word]));
  const fields = { prompt: `${word} [[actual=32x32]]`, user: word, [word]: word };
  const calls = [
    () => api.ask(generation, fields, { headers }),
    () => api.ask(generation, { ...fields, stream: true, partial_images: 1 }, {}),
    () => api.ask(jsonEdit, fields, {}),
    () => api.ask(formEdit, fields, {}),
    () => api.send('POST', formEdit.path, { body: namedFile(word) }),
    () => api.ask(generation, { ...fields, model: word }),
    () => api.ask(generation, { ...fields, size: word, quality: word, background: word }),
    () => api.ask(generation, { ...fields, prompt: `${word} [[fail=protocol]]` }),
    () => api.ask(generation, { ...fields, prompt: `${word} [[fail=refused]]` }),
    () => api.ask(jsonEdit, { ...fields, images: [{ image_url: `http://${word}.invalid/a` }] }),
    () => api.send('POST', generation.path, { ...json(word), headers: { 'content-type': word } }),
    () => api.send('POST', generation.path, { body: `{"${word}`, headers: json(word).headers }),
    () => api.get(`/v1/models?${word}=${word}`, { user: null, headers: { authorization: word } }),
    () => api.get(`/v1/models/${word}?${word}`),
    () => api.get(`/${word}/${word}?${word}`, { headers }),
    () => api.send('DELETE', `/v1/models?${word}`, { headers }),
    () => api.send('OPTIONS', `/v1/images/edits?${word}`, { headers }),
    () => api.get(`/api/console/bootstrap?${word}=${word}`, { headers }),
    () => api.send('POST', '/api/console/sign-in', { ...json({ email: word, password: word }) }),
  ];
  for (const call of calls) await call();
  return calls.length;
}

function namedFile(word: string): FormData {
  const form = formOf({ model: 'gen-image-2', prompt: 'a fox [[actual=32x32]]' });
  form.append('image', new Blob([new Uint8Array(dot)]), `${word}.png`);
  return form;
}

async function lineOf(traceId: string | null): Promise<Record<string, unknown>> {
  return vi.waitFor(() => {
    const found = written
      .map(parsed)
      .find(({ msg, trace_id }) => msg === 'request' && trace_id === traceId);
    if (!found) throw new Error('not logged yet');
    return found;
  });
}

/** Each line is one JSON object. */
function parsed(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}
