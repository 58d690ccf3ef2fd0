/** What an adapter must not do, one bad habit of the trivial adapter at a time. */
import type { EncodedImage } from '../../server/lib/pictures/encoded-image.ts';
import { UpstreamError } from '../../server/upstreams/upstream.ts';
import { ask, upstreamErrors } from '../../server/upstreams/wire/ask.ts';
import { endInFaults } from '../../server/upstreams/wire/endings.ts';
import { endpoint } from '../../server/upstreams/wire/endpoint.ts';
import { errorOfAnswer } from '../../server/upstreams/wire/faults.ts';
import { Base64Text } from '../../server/upstreams/wire/picture-text.ts';
import {
  begunPicture,
  brokenAfter,
  bytesOf,
  fetchAnything,
  firstCredential,
  latePrompt,
  neverLeft,
  quietlyEnded,
  telling,
  twiceEnded,
  untilStopped,
} from './bad-events.ts';
import { goodHabits, type Habits } from './trivial-adapter.ts';

export interface BadHabit {
  /** Of an adapter that … */
  habit: string;
  habits: Partial<Habits>;
  /** The scenario that notices, and what it says. */
  noticed: string;
  because: RegExp;
}

export const badHabits: readonly BadHabit[] = [
  {
    habit: 'goes on reading when it is told to stop',
    habits: { signalOf: () => new AbortController().signal },
    noticed: 'stops before the first byte of the answer',
    because: /the run ends/,
  },
  {
    habit: 'ends when it is told to stop, and leaves the connection open',
    habits: {
      signalOf: () => new AbortController().signal,
      end: (events, { signal }) => endInFaults(untilStopped(events, signal), signal),
    },
    noticed: 'stops in the middle of the answer',
    because: /hears of the stop/,
  },
  {
    habit: 'leaves the connection open when nobody reads its events',
    habits: { end: (events, { signal }) => endInFaults(neverLeft(events), signal) },
    noticed: 'stops when its events are no longer read',
    because: /hears of the stop/,
  },
  {
    habit: 'asks although it was stopped before',
    habits: {
      signalOf: () => new AbortController().signal,
      end: (events) => events,
    },
    noticed: 'sends nothing when it is stopped before it begins',
    because: /there is no picture/,
  },
  {
    habit: 'keeps its connections when it is closed',
    habits: { close: async () => {} },
    noticed: 'delivers the picture',
    because: /all connections close/,
  },
  {
    habit: 'takes what came before a cut for the picture',
    habits: { read: async (answer) => ({ picture: await begunPicture(answer) }) },
    noticed: 'survives a connection that breaks, at 20 points of the answer',
    because: /the one that the service made/,
  },
  {
    habit: 'takes a cut stream for one without an end',
    habits: { readEvents: quietlyEnded },
    noticed: 'survives a connection that breaks, at 20 points of a stream',
    because: /the one that the service made/,
  },
  {
    habit: 'ends twice',
    habits: { end: (events, { signal }) => twiceEnded(endInFaults(events, signal)) },
    noticed: 'delivers the picture',
    because: /accepted\?, partial\*, final/,
  },
  {
    habit: 'fails after the end',
    habits: { end: (events, { signal }) => brokenAfter(endInFaults(events, signal)) },
    noticed: 'delivers the picture',
    because: /no error after the final/,
  },
  {
    habit: 'delivers all partial images that come',
    habits: { isPartialWanted: () => true },
    noticed: 'delivers no more partial images than were asked for',
    because: /not more than asked for/,
  },
  {
    habit: 'tells its credential',
    habits: telling(({ credential }) => credential ?? ''),
    noticed: 'tells a credential that was not accepted',
    because: /tells no secret/,
  },
  {
    habit: 'tells its credential in base64',
    habits: telling(({ credential }) => Buffer.from(credential ?? '').toString('base64')),
    noticed: 'tells a credential that was not accepted',
    because: /tells no secret/,
  },
  {
    habit: 'tells the prompt',
    habits: telling((_context, { prompt }) => prompt),
    noticed: 'tells content that was declined',
    because: /tells no secret/,
  },
  {
    habit: 'tells the answer, as a cause',
    habits: {
      read: async (answer) => {
        const cause = new Error(String(await bytesOf(answer)));
        throw new UpstreamError('protocol', 'no picture', { possiblyCharged: true, cause });
      },
    },
    noticed: 'takes no web page for a picture',
    because: /tells no secret/,
  },
  {
    habit: 'writes the prompt to the console',
    habits: {
      refuse: ({ prompt }) => {
        // oxlint-disable-next-line no-console -- the bad habit itself
        console.info('drawing %s', prompt);
      },
    },
    noticed: 'delivers the picture',
    because: /told no secret/,
  },
  {
    habit: 'puts the credential into the URL',
    habits: { addressOf: (baseUrl, credential) => endpoint(baseUrl, `/draw?key=${credential}`) },
    noticed: 'delivers the picture',
    because: /no URL contains a secret/,
  },
  {
    habit: 'does not say that its body is JSON',
    habits: {
      send: (http, { headers = {}, ...request }, signal) => {
        const { 'content-type': _type, ...others } = headers;
        return ask(http, { ...request, headers: others }, { signal });
      },
    },
    noticed: 'says of what type each body is',
    because: /the type of a body/,
  },
  {
    habit: 'uses the first credential for all calls',
    habits: { credentialOf: firstCredential() },
    noticed: 'uses the credential of each call',
    because: /the credential of the second call/,
  },
  {
    habit: 'throws what it was thrown',
    habits: {
      end: (events) => events,
      read: async () => {
        throw new TypeError('picture is undefined');
      },
    },
    noticed: 'takes no words for a picture',
    because: /not TypeError/,
  },
  {
    habit: 'sends the first reference image only',
    habits: {
      fieldsOf: ({ referenceImages: [first] }) => ({
        references: first ? [new Base64Text(first.bytes)] : [],
      }),
    },
    noticed: 'sends every reference image',
    because: /reference image 1 is sent/,
  },
  {
    habit: 'leaves out the mask',
    habits: {
      fieldsOf: ({ referenceImages }) => ({
        references: referenceImages.map(({ bytes }) => new Base64Text(bytes)),
      }),
    },
    noticed: 'sends the mask too, in the form that the service wants',
    because: /the mask is sent/,
  },
  {
    habit: 'sends nothing that the administrator adds',
    habits: { fieldsOf: ({ prompt }) => ({ prompt }) },
    noticed: "sends what the administrator adds, which never takes the prompt's place",
    because: /what is added/,
  },
  {
    habit: "lets the administrator put another prompt in the place of the job's",
    habits: { fieldsOf: ({ prompt, extra }) => ({ prompt, ...extra }) },
    noticed: "sends what the administrator adds, which never takes the prompt's place",
    because: /the prompt of the job/,
  },
  {
    habit: 'asks for more than its model can use',
    habits: { refuse: () => {} },
    noticed: 'refuses more reference images than the model can use, before anything is sent',
    because: /there is no picture/,
  },
  {
    habit: 'asks for a mask that its model ignores',
    habits: { capabilities: { ...goodHabits.capabilities, mask: false }, refuse: () => {} },
    noticed: 'refuses a mask that the model cannot use, before anything is sent',
    because: /there is no picture/,
  },
  {
    habit: 'asks for edits that its model cannot make',
    habits: {
      capabilities: { ...goodHabits.capabilities, edit: false, mask: false, referenceImagesMax: 0 },
      refuse: () => {},
    },
    noticed: 'refuses an edit that the model cannot make, before anything is sent',
    because: /there is no picture/,
  },
  {
    habit: 'follows redirects wherever they lead',
    habits: {
      send: async (http, request, signal) => {
        const answer = await http.send(request, signal);
        if (answer.status < 400) await fetchAnything(answer.headers['location']);
        throw errorOfAnswer({ ...answer, said: null });
      },
    },
    noticed: 'follows no redirect to another origin',
    because: /connections to the other origin/,
  },
  {
    habit: 'fetches results wherever they lie',
    habits: {
      pictureAt: async (_http, url) => {
        await fetchAnything(url);
        throw new UpstreamError('protocol', 'no picture', { possiblyCharged: true });
      },
    },
    noticed: 'fetches no result from a private address',
    because: /connections to the private address/,
  },
  {
    habit: 'gives a result up at the first trouble',
    habits: {
      pictureAt: async (http, url, { signal }) => {
        const fetching = http.download(String(url), { signal, bytesMax: 1024 ** 2 });
        return { encoding: 'raw', bytes: await upstreamErrors(fetching, { wasAnswered: true }) };
      },
    },
    noticed: 'fetches a result again that cannot be had for a moment',
    because: /there is a picture/,
  },
  {
    habit: 'takes anything for a picture',
    habits: {
      pictureAt: async (): Promise<EncodedImage> => ({ encoding: 'raw', bytes: Buffer.from('?') }),
    },
    noticed: 'takes no empty result for a picture',
    because: /there is no picture/,
  },
  {
    habit: 'reads without a limit',
    habits: { read: async (answer) => ({ picture: String(await bytesOf(answer)) }) },
    noticed: 'gives up an answer without end',
    because: /the fault|the run ends/,
  },
  {
    habit: 'reads the status alone',
    habits: {
      send: async (http, request, signal) => {
        const answer = await http.send(request, signal);
        if (answer.status === 200) return answer;
        answer.discard();
        throw errorOfAnswer({ ...answer, said: null });
      },
    },
    noticed: 'tells content that was declined',
    because: /the fault/,
  },
  {
    habit: 'forgets when it may ask again',
    habits: {
      send: async (http, request, signal) => {
        const asked = ask(http, request, { signal });
        return await asked.catch((error: unknown) => {
          if (!(error instanceof UpstreamError)) throw error;
          throw new UpstreamError(error.fault, error.message);
        });
      },
    },
    noticed: 'tells when a busy service is to be asked again',
    because: /when it may be asked again/,
  },
  {
    habit: 'takes what may have been paid for as free',
    habits: {
      end: async function* (events, { signal }) {
        try {
          yield* endInFaults(events, signal);
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error;
          throw new UpstreamError(error.fault, error.message);
        }
      },
    },
    noticed: 'does not wait for ever for an answer to begin',
    because: /possiblyCharged/,
  },
  {
    habit: 'mixes up jobs that run at once',
    habits: { fieldsOf: latePrompt() },
    noticed: 'does not mix up jobs that run at once',
    because: /the picture of job/,
  },
];
