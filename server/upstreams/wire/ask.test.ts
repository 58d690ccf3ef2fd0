import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { givenAnswer } from '../../../test/upstreams/given-answer.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import {
  type GuardedHttp,
  OutgoingError,
  type OutgoingProblem,
} from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import { type Fault, UpstreamError } from '../upstream.ts';
import { ask, brokenAnswer, parseAnswer, readBytes, readJson, upstreamErrorOf } from './ask.ts';
import { UnreadableAnswer } from './insist.ts';
import { answerLimits } from './limits.ts';

const request = { method: 'GET', url: new URL('http://127.0.0.1:9/models') } as const;
const { signal } = new AbortController();

function httpThat(send: () => Promise<OutgoingAnswer>): GuardedHttp {
  // Nothing else of it is used here.
  return { send } as Pick<GuardedHttp, 'send'> as GuardedHttp;
}

function asking(answer: OutgoingAnswer): Promise<OutgoingAnswer> {
  return ask(
    httpThat(async () => answer),
    request,
    { signal },
  );
}

describe('asking a service', () => {
  it.each([200, 201, 202, 299])('gives an answer of status %i', async (status) => {
    const answer = givenAnswer([], { status });
    expect(await asking(answer)).toBe(answer);
  });

  it.each<[number, Fault]>([
    [199, 'protocol'],
    [300, 'protocol'],
    [401, 'auth'],
    [500, 'unavailable'],
  ])('throws for one of status %i', async (status, fault) => {
    const headers = { 'x-request-id': 'req_1' };
    const error = await thrownBy(asking(givenAnswer(['<html>'], { status, headers })));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ status, fault, upstreamRequestId: 'req_1' });
  });

  it('reads why there is none, as long as it is said briefly', async () => {
    const said = (bytes: number) => {
      const text = '{"error":{"code":"content_filter"}}';
      return givenAnswer([text, ' '.repeat(bytes - text.length)], { status: 400 });
    };
    const brief = said(answerLimits.errorBytesMax);
    expect(await thrownBy(asking(brief))).toMatchObject({ fault: 'refused' });
    expect(brief.wasLeft()).toBe(false);
    const long = said(answerLimits.errorBytesMax + 1);
    expect(await thrownBy(asking(long))).toMatchObject({ fault: 'bad_request' });
    expect(long.wasLeft()).toBe(true);
  });

  it('reads why there is none also behind what it repeats of the request', async () => {
    const detail = [
      { input: { prompt: '雪'.repeat(32_000), image_url: 'QUJD'.repeat(500_000) } },
      { loc: ['body', 'prompt'] },
    ];
    const text = JSON.stringify({ detail, error: { code: 'content_filter', param: 'prompt' } });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = givenAnswer([text], { status: 422, headers });
    const error = await thrownBy(asking(answer));
    expect(error).toMatchObject({ fault: 'refused', upstreamParam: 'prompt' });
  });

  it.each([
    [0, 'refused', false],
    [1, 'bad_request', true],
  ] as const)(
    'reads what is labelled as JSON up to the limit of all answers; with %i bytes more it is %s',
    async (beyond, fault, wasLeft) => {
      const text = '{"error":{"code":"content_filter"}}';
      const padding = answerLimits.documentBytesMax - text.length + beyond;
      const picture = Buffer.alloc(padding - '"picture":"",'.length, 'A').toString();
      const answer = givenAnswer([`{"picture":"${picture}",${text.slice(1)}`], {
        status: 400,
        headers: { 'content-type': 'application/json' },
      });
      expect(await thrownBy(asking(answer))).toMatchObject({ fault });
      expect(answer.wasLeft()).toBe(wasLeft);
    },
  );

  it('goes by the status when the reason is cut off', async () => {
    const answer = givenAnswer(['{"error"', new OutgoingError('cut', 'cut')], { status: 401 });
    expect(await thrownBy(asking(answer))).toMatchObject({ fault: 'auth', possiblyCharged: false });
  });

  it('takes the rules of a protocol', async () => {
    const http = httpThat(async () => givenAnswer(['{"error":{"code":"E7"}}'], { status: 400 }));
    const rules = { codes: { E7: 'quota' } } as const;
    expect(await thrownBy(ask(http, request, { signal, rules }))).toMatchObject({ fault: 'quota' });
  });

  it('passes on the reason of a stop as it is', async () => {
    const reason = new Error('nobody wants it any more');
    const http = httpThat(() => Promise.reject(reason));
    expect(await thrownBy(ask(http, request, { signal }))).toBe(reason);
  });
});

describe('what prevents an answer', () => {
  it.each<[OutgoingProblem, { wasAnswered: boolean }, Fault, boolean]>([
    // Nobody has heard of the job.
    ['connect', { wasAnswered: false }, 'unavailable', false],
    ['forbidden', { wasAnswered: false }, 'protocol', false],
    // Of the credential, with which no job of this upstream can be asked for.
    ['unsendable', { wasAnswered: false }, 'auth', false],
    // It was sent, so it may have been done.
    ['cut', { wasAnswered: false }, 'unavailable', true],
    ['slow', { wasAnswered: false }, 'timeout', true],
    // Of an answer there was more than is read.
    ['too_large', { wasAnswered: false }, 'protocol', true],
    ['unsendable', { wasAnswered: true }, 'auth', false],
    ['connect', { wasAnswered: true }, 'unavailable', true],
    ['cut', { wasAnswered: true }, 'unavailable', true],
    ['slow', { wasAnswered: true }, 'timeout', true],
    ['forbidden', { wasAnswered: true }, 'protocol', true],
    ['too_large', { wasAnswered: true }, 'protocol', true],
    ['status', { wasAnswered: true }, 'protocol', true],
    ['encoding', { wasAnswered: true }, 'protocol', true],
  ])('%s with %j is %s, possibly charged: %s', (problem, when, fault, possiblyCharged) => {
    const error = upstreamErrorOf(new OutgoingError(problem, 'in our words'), when);
    expect(error).toMatchObject({ fault, possiblyCharged, message: 'in our words' });
  });

  it.each<[OutgoingProblem, { wasAnswered: boolean }, boolean]>([
    ['cut', { wasAnswered: false }, false],
    ['slow', { wasAnswered: false }, false],
    ['cut', { wasAnswered: true }, true],
    ['slow', { wasAnswered: true }, true],
  ])(
    '%s with %j before the request was sent whole is possibly charged: %s',
    (problem, when, is) => {
      const unsent = new OutgoingError(problem, 'in our words', { isUnsent: true });
      expect(upstreamErrorOf(unsent, when)).toMatchObject({ possiblyCharged: is });
    },
  );

  it('is left as it is when it is none of that', () => {
    const reason = new Error('stopped');
    expect(upstreamErrorOf(reason, { wasAnswered: true })).toBe(reason);
  });
});

describe('a whole answer', () => {
  it('has at most so many bytes', async () => {
    const pieces = (bytes: number) => ['ab', 'c'.repeat(bytes - 2)];
    expect(String(await readBytes(givenAnswer(pieces(9)), 9))).toBe('abccccccc');
    const long = givenAnswer([...pieces(10), 'more'], { headers: { 'x-request-id': 'req_1' } });
    expect(await thrownBy(readBytes(long, 9))).toMatchObject({
      fault: 'protocol',
      message: 'the answer has over 9 bytes',
      status: 200,
      upstreamRequestId: 'req_1',
      possiblyCharged: true,
    });
    expect(long.wasLeft()).toBe(true);
  });

  it('is read as JSON, its pictures as bytes', async () => {
    const picture = 'QUJD'.repeat(20_000);
    const json = await readJson(givenAnswer(['{"n":1,"picture":"', picture, '"}']));
    // What the parser makes of an object with a long string.
    const { n, picture: cut } = json as { n: number; picture: CutString };
    expect(n).toBe(1);
    expect(cut).toBeInstanceOf(CutString);
    expect(String(cut.bytes)).toBe(picture);
  });

  it.each<[string, string, string]>([
    ['empty', '', 'not_json'],
    ['a web page', '<html>a fox</html>', 'not_json'],
    ['broken off', '{"picture":"QUJ', 'not_json'],
    ['not UTF-8', '{"a":"\xff"}', 'not_utf8'],
  ])('that is %s is a protocol fault', async (_name, text, reason) => {
    const error = await thrownBy(readJson(givenAnswer([Buffer.from(text, 'latin1')])));
    const message = `the answer is not usable JSON (${reason})`;
    expect(error).toMatchObject({
      fault: 'protocol',
      message,
      possiblyCharged: true,
      cause: new UnreadableAnswer(message),
    });
  });

  it('that is cut may have been charged', async () => {
    const answer = givenAnswer(['{}', new OutgoingError('cut', 'ended early')]);
    const error = await thrownBy(readJson(answer));
    expect(error).toMatchObject({ fault: 'unavailable', status: 200, possiblyCharged: true });
  });

  it.each<[string, (size: number) => string, number, string]>([
    ['levels', (n) => '['.repeat(n) + ']'.repeat(n), answerLimits.documentDepthMax, 'too_deep'],
    [
      'bytes beside its pictures',
      (n) => `["${'x'.repeat(1_000)}"${' '.repeat(n - 1_004)}]`,
      answerLimits.documentTextBytesMax,
      'too_long',
    ],
  ])('has at most so many %s', (_name, document, most, reason) => {
    expect(parseAnswer(Buffer.from(document(most)))).toMatchObject({ kind: 'value' });
    const beyond = parseAnswer(Buffer.from(document(most + 1)));
    expect(beyond).toEqual({ kind: 'broken', reason });
  });

  it('without a picture is a protocol fault that may have been charged', () => {
    const answer = givenAnswer([], { headers: { 'x-request-id': 'req_1' } });
    expect(brokenAnswer(answer, 'no picture')).toMatchObject({
      fault: 'protocol',
      message: 'no picture',
      status: 200,
      upstreamRequestId: 'req_1',
      possiblyCharged: true,
    });
  });
});
