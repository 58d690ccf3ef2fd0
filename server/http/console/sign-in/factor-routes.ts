/** By what a user shows who they are: proofs anew, the authenticator, passkeys. */
import { z } from 'zod';
import {
  authenticatorCodeSchema,
  newAuthenticatorSchema,
  passkeyChangeSchema,
  passkeyRegistrationSchema,
  passkeySchema,
  proofAnswerSchema,
  proofSchema,
  recoveryCodesSchema,
} from '../../../../shared/console/account.ts';
import { passkeyQuestionSchema } from '../../../../shared/console/sign-in.ts';
import { ownChange } from '../../../flows/admin-change.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from '../../../flows/sign-in/change-authenticator.ts';
import {
  addPasskey,
  beginPasskey,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../../../flows/sign-in/change-passkeys.ts';
import { proveByPasskey, proveByPassword } from '../../../flows/sign-in/prove-presence.ts';
import { askPasskey } from '../../../flows/sign-in/sign-in-by-passkey.ts';
import { tellAccountChange } from '../../../flows/sign-in/tell-account-change.ts';
import { sessionLimits } from '../../../identity/session.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { presentPasskey } from '../account-routes.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { requireOwner, requireSession } from '../viewer.ts';
import { originOf } from './cookies.ts';
import { presentQuestion, toNewPasskeyAnswer, toPasskeyAnswer } from './passkey-json.ts';

const nothing = z.object({});
const idParams = z.object({ id: z.string().min(1).max(100) });

export const factorRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'POST',
    path: '/prove/question',
    summary: 'What to ask the browser for, to prove with a passkey that it is you',
    right: 'own',
    answer: passkeyQuestionSchema,
    handle: async ({ viewer, request }, deps) => {
      requireSession(viewer);
      const site = { origin: originOf(request, deps) };
      const { userId } = viewer;
      return presentQuestion(await askPasskey(deps, { site, purpose: 'passkey_proof', userId }));
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/prove',
    summary: 'Prove again that it is you, by password or passkey, before a sensitive change',
    right: 'own',
    body: proofSchema,
    answer: proofAnswerSchema,
    handle: async ({ viewer, request, body }, deps) => {
      const prover = requireOwner(viewer);
      if (body.kind === 'password') {
        await proveByPassword(deps, { ...prover, password: body.password });
      } else {
        const site = { origin: originOf(request, deps) };
        const { secret } = body;
        await proveByPasskey(deps, {
          ...prover,
          site,
          secret,
          answer: toPasskeyAnswer(body.answer),
        });
      }
      return { proven_until: isoTime(deps.clock.now() + sessionLimits.provenMs) };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/authenticator',
    summary: 'Begin to use an authenticator app',
    right: 'own',
    isDelicate: true,
    answer: newAuthenticatorSchema,
    handle: async ({ viewer }, deps) => beginAuthenticator(deps, viewer.userId),
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/authenticator/confirm',
    summary: 'Show by a first code that the app works; answers with recovery codes, only this once',
    right: 'own',
    isDelicate: true,
    body: authenticatorCodeSchema,
    answer: recoveryCodesSchema,
    handle: async ({ viewer, body: { code } }, deps) => {
      const owner = requireOwner(viewer);
      const made = await confirmAuthenticator(deps, { ...owner, code });
      tellAccountChange(deps, { userId: owner.userId, kind: 'authenticator_added' });
      return { recovery_codes: [...made] };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/account/authenticator',
    summary: 'Sign in by password alone again',
    right: 'own',
    isDelicate: true,
    answer: nothing,
    handle: async ({ viewer: { userId: own } }, deps) => {
      const userId = await removeAuthenticator(ownChange(deps, own), own);
      if (userId !== null) tellAccountChange(deps, { userId, kind: 'authenticator_removed' });
      return {};
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'New recovery codes in place of the old ones, shown only this once',
    right: 'own',
    isDelicate: true,
    answer: recoveryCodesSchema,
    handle: async ({ viewer }, deps) => {
      const owner = requireOwner(viewer);
      const made = await renewRecoveryCodes(deps, owner);
      tellAccountChange(deps, { userId: owner.userId, kind: 'recovery_codes' });
      return { recovery_codes: [...made] };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/passkeys/question',
    summary: 'What to ask the browser for, to make a passkey',
    right: 'own',
    isDelicate: true,
    answer: passkeyQuestionSchema,
    handle: async ({ viewer: { userId }, request }, deps) => {
      const site = { origin: originOf(request, deps) };
      return presentQuestion(await beginPasskey(deps, { userId, site }));
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/account/passkeys',
    summary: 'Keep a passkey that the browser has made',
    right: 'own',
    isDelicate: true,
    body: passkeyRegistrationSchema,
    answer: passkeySchema,
    handle: async ({ viewer, request, body }, deps) => {
      const { secret, name } = body;
      const owner = requireOwner(viewer);
      const site = { origin: originOf(request, deps) };
      const answer = toNewPasskeyAnswer(body.answer);
      const made = await addPasskey(deps, { ...owner, site, secret, name, answer });
      tellAccountChange(deps, { userId: owner.userId, kind: 'passkey_added' });
      return presentPasskey(made);
    },
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/account/passkeys/:id',
    summary: 'Rename a passkey',
    right: 'own',
    owned: { id: 'passkey' },
    sampleBody: { name: 'Mine' },
    params: idParams,
    body: passkeyChangeSchema,
    answer: nothing,
    handle: async ({ viewer: { userId }, params: { id }, body: { name } }, deps) => {
      await renameOwnPasskey(deps, { userId, handle: id, name });
      return {};
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/account/passkeys/:id',
    summary: 'Remove a passkey',
    right: 'own',
    owned: { id: 'passkey' },
    isDelicate: true,
    params: idParams,
    answer: nothing,
    handle: async ({ viewer: { userId }, params: { id } }, deps) => {
      await removeOwnPasskey(deps, { userId, handle: id });
      tellAccountChange(deps, { userId, kind: 'passkey_removed' });
      return {};
    },
  }),
];
