/** Signing in: by password and code, by passkey, by the OpenID issuer. */
import { z } from 'zod';
import { safeNextPath } from '../../../../shared/console/next-path.ts';
import {
  issuerAnswerSchema,
  type issuerProblems,
  issuerRequestSchema,
  passkeyQuestionSchema,
  passkeySignInRequestSchema,
  secondFactorAnswerSchema,
  secondFactorRequestSchema,
  signInAnswerSchema,
  signInRequestSchema,
} from '../../../../shared/console/sign-in.ts';
import { beginIssuerSignIn, finishIssuerSignIn } from '../../../flows/sign-in/sign-in-by-issuer.ts';
import { askPasskeyToSignIn, signInByPasskey } from '../../../flows/sign-in/sign-in-by-passkey.ts';
import { signInByPassword } from '../../../flows/sign-in/sign-in-by-password.ts';
import { signInBySecondFactor } from '../../../flows/sign-in/sign-in-by-second-factor.ts';
import { tellAccountChange } from '../../../flows/sign-in/tell-account-change.ts';
import { challengeLifeMs } from '../../../identity/challenge.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleCall, type ConsoleRoute, publicRoute, type Viewer } from '../console-route.ts';
import { visitorOf } from '../viewer.ts';
import { originOf, readCookie, writeCookie } from './cookies.ts';
import { enter } from './enter.ts';
import { presentQuestion, toPasskeyAnswer } from './passkey-json.ts';

const issuerCookie = 'tintype_issuer';
const issuerCallbackPath = '/sign-in/issuer/callback';

export const signInRoutes: readonly ConsoleRoute[] = [
  publicRoute({
    method: 'POST',
    path: '/sign-in',
    summary: 'Sign in with e-mail address and password',
    right: 'anyone',
    body: signInRequestSchema,
    answer: signInAnswerSchema,
    handle: async (call, deps) => {
      const visitor = visitorOf(call.request, deps);
      const signIn = await signInByPassword(deps, { ...call.body, visitor });
      if (signIn.kind === 'second_factor') return signIn;
      await enter(call, signIn.opened, deps);
      return { kind: 'signed_in' } as const;
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/sign-in/second-factor',
    summary: 'The second step: a code of the authenticator, or a recovery code',
    right: 'anyone',
    body: secondFactorRequestSchema,
    answer: secondFactorAnswerSchema,
    handle: async (call, deps) => {
      const visitor = visitorOf(call.request, deps);
      const step = await signInBySecondFactor(deps, { ...call.body, visitor });
      const { userId, opened, recoveryCodesLeft: left } = step;
      await enter(call, opened, deps);
      if (left === null) return { kind: 'signed_in' } as const;
      // Whoever has the codes needs no authenticator: its owner may not know of it.
      tellAccountChange(deps, { userId, kind: 'recovery_code_used' });
      return { kind: 'signed_in', recovery_codes_left: left } as const;
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/sign-in/passkey/question',
    summary: 'What to ask the browser for, to sign in with whichever passkey it has',
    right: 'anyone',
    answer: passkeyQuestionSchema,
    handle: async ({ request }, deps) => {
      const site = { origin: originOf(request, deps) };
      const { address: networkAddress } = visitorOf(request, deps);
      return presentQuestion(await askPasskeyToSignIn(deps, { site, networkAddress }));
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/sign-in/passkey',
    summary: 'Sign in with a passkey',
    right: 'anyone',
    body: passkeySignInRequestSchema,
    answer: signInAnswerSchema,
    handle: async (call, deps) => {
      const { request, body } = call;
      const opened = await signInByPasskey(deps, {
        site: { origin: originOf(request, deps) },
        secret: body.secret,
        answer: toPasskeyAnswer(body.answer),
        visitor: visitorOf(request, deps),
      });
      await enter(call, opened, deps);
      return { kind: 'signed_in' } as const;
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/sign-in/issuer',
    summary: 'Begin to sign in by the OpenID issuer; answers where the browser goes',
    right: 'anyone',
    body: issuerRequestSchema,
    answer: issuerAnswerSchema,
    handle: async ({ request, reply, body, viewer }, deps) => {
      const { url, secret } = await beginIssuerSignIn(deps, {
        redirectUri: `${originOf(request, deps)}/api/console${issuerCallbackPath}`,
        next: safeNextPath(body.next),
        invitation: body.invitation ?? null,
        // Somebody who is signed in already does it to prove who they are.
        anew: viewer !== null,
        networkAddress: visitorOf(request, deps).address,
      });
      const cookie = { name: issuerCookie, value: secret, ageMs: challengeLifeMs.oidc };
      writeCookie({ request, reply }, cookie, deps);
      return { url };
    },
  }),
  publicRoute({
    method: 'GET',
    path: issuerCallbackPath,
    summary: 'Where the OpenID issuer sends the browser back to',
    right: 'anyone',
    answer: z.object({}),
    handle: async (call, deps) => {
      const { request, reply } = call;
      const secret = readCookie(request, issuerCookie, deps);
      writeCookie({ request, reply }, { name: issuerCookie, value: null, ageMs: 0 }, deps);
      const page = await comeBack(call, secret, deps);
      await reply.redirect(page, seeOther);
      return {};
    },
  }),
];

const seeOther = 303;

type CallbackCall = ConsoleCall<unknown, unknown, unknown> & { viewer: Viewer | null };

/** The page to show: the wanted one, or the one to sign in at, which says what went wrong. */
async function comeBack(
  call: CallbackCall,
  secret: string | null,
  deps: ConsoleDeps,
): Promise<string> {
  const { request } = call;
  // All of it: there may be question marks in a query as well.
  const answer = new URLSearchParams(request.url.replace(/^[^?]*/, ''));
  const visitor = visitorOf(request, deps);
  try {
    const signIn = await finishIssuerSignIn(deps, { secret, answer, visitor });
    if (signIn.kind === 'refused') return problemPage(signIn.problem, signIn.next);
    await enter(call, signIn.opened, deps);
    return safeNextPath(signIn.next);
  } catch (error) {
    // A page, not a body of JSON, is what a person can do something with.
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ trace_id: request.id, err: error }, 'the OpenID issuer signed nobody in');
    return problemPage('unavailable', '/');
  }
}

function problemPage(problem: (typeof issuerProblems)[number], next: string): string {
  const query = new URLSearchParams({ problem, next });
  return `/login?${query.toString()}`;
}
