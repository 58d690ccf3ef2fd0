/** Runs one case against the service and says what was wrong with it. */
import { Agent, fetch } from 'undici';
import type { HostileUpstream } from '../../test/hostile/hostile-upstream.ts';
import type { WireAnswer } from '../../test/hostile/wire-answer.ts';
import { breakAnswer } from './broken-answers.ts';
import { breakRequest, renderRequest } from './broken-requests.ts';
import type { FuzzCase } from './fuzz-case.ts';
import type { Installation } from './installation.ts';
import { judgeRequest, judgeResult } from './judge.ts';
import { sendBytes } from './send-bytes.ts';

export interface World {
  baseUrl: string;
  installation: Installation;
  upstream: HostileUpstream;
  prompt: string;
  picture: Buffer;
}

/** For a request whose other half never comes; the service waits longer than that. */
const quietMs = 400;
/** Keeps no connection, so that what the service has open is the service's own. */
const dispatcher = new Agent({ pipelining: 0 });
/** Longer than any deadline of the service under test. */
const answerWaitMs = 60_000;

/** @param model whose upstream answers; of the kind that the case wants */
export async function runCase(world: World, fuzzed: FuzzCase, model: string): Promise<string[]> {
  try {
    return fuzzed.side === 'requests'
      ? await runRequest(world, fuzzed)
      : await runUpstream(world, fuzzed, model);
  } catch (error) {
    return [`no answer: ${error instanceof Error ? `${error.name} ${error.message}` : 'unknown'}`];
  }
}

async function runRequest(world: World, { base, mutations }: FuzzCase): Promise<string[]> {
  const { baseUrl, installation, prompt, picture } = world;
  const { apiKey } = installation;
  const request = await breakRequest(base, mutations, { apiKey, prompt, picture });
  return judgeRequest(await sendBytes(baseUrl, renderRequest(request), { quietMs }));
}

async function runUpstream(
  world: World,
  { base, mutations }: FuzzCase,
  model: string,
): Promise<string[]> {
  const { installation, upstream } = world;
  let broken: Promise<WireAnswer> | null = null;
  upstream.plans.set(model, (right) => {
    broken ??= breakAnswer(right, mutations);
    return broken;
  });
  try {
    const isStream = base === 'stream';
    const answer = await ask(world, model, isStream);
    return judgeResult({ ...answer, isStream, credential: installation.credential });
  } finally {
    upstream.plans.delete(model);
  }
}

/** A request that nothing is wrong with; what is wrong with its answer. */
export async function runGood(world: World, model: string): Promise<string[]> {
  try {
    const { status, text } = await ask(world, model, false);
    return status === 200 ? [] : [`a good request got ${status}: ${text.slice(-300)}`];
  } catch (error) {
    return [`a good request got nothing: ${error instanceof Error ? error.message : 'unknown'}`];
  }
}

async function ask(
  { baseUrl, installation, prompt }: World,
  model: string,
  stream: boolean,
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${baseUrl}/v1/images/generations`, {
    dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${installation.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model, prompt, ...(stream && { stream, partial_images: 2 }) }),
    signal: AbortSignal.timeout(answerWaitMs),
  });
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const body = await response.text();
  return { status: response.status, text: `HTTP/1.1 ${response.status}\r\n${head}\r\n${body}` };
}
