/** How people without a session come by an account or a password: registration, invitation, reset. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  emailRequestSchema,
  invitationAcceptanceSchema,
  invitationOfferSchema,
  invitationSecretSchema,
  passwordResetSchema,
  registrationConfirmationSchema,
  registrationSchema,
} from '../../../../shared/console/sign-in.ts';
import { acceptInvitation, readInvitation } from '../../../flows/sign-in/accept-invitation.ts';
import type { AskedMail, LinkPost } from '../../../flows/sign-in/identity-mail.ts';
import {
  confirmRegistration,
  registerUser,
  requestRegistration,
} from '../../../flows/sign-in/register-user.ts';
import { requestPasswordReset, resetPassword } from '../../../flows/sign-in/reset-password.ts';
import { tellAccountChange } from '../../../flows/sign-in/tell-account-change.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { isoTime } from '../../../lib/time-text.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, publicRoute } from '../console-route.ts';
import { pageLanguage } from '../page-language.ts';
import { presentAmount } from '../present/amount.ts';
import { visitorOf } from '../viewer.ts';
import { enter } from './enter.ts';

const nothing = z.object({});

export const registrationRoutes: readonly ConsoleRoute[] = [
  publicRoute({
    method: 'POST',
    path: '/registration',
    summary: 'Open an account, where registration is open and no mail can be sent',
    right: 'anyone',
    body: registrationSchema,
    answer: nothing,
    handle: async (call, deps) => {
      if (deps.linkPost !== null) {
        throw new ServiceError('forbidden', 'Ask for a link to your address first.', {
          retryable: false,
        });
      }
      const visitor = visitorOf(call.request, deps);
      await enter(call, await registerUser(deps, { ...call.body, visitor }), deps);
      return {};
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/registration/mail',
    summary: 'Ask for a link that opens an account',
    right: 'anyone',
    body: emailRequestSchema,
    answer: nothing,
    handle: async ({ request, body }, deps) => {
      await requestRegistration({ ...deps, post: requirePost(deps) }, askedBy(request, body, deps));
      return {};
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/registration/confirm',
    summary: 'Open the account whose address got the link',
    right: 'anyone',
    body: registrationConfirmationSchema,
    answer: nothing,
    handle: async (call, deps) => {
      const visitor = visitorOf(call.request, deps);
      await enter(call, await confirmRegistration(deps, { ...call.body, visitor }), deps);
      return {};
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/invitation',
    summary: 'What an invitation offers',
    right: 'anyone',
    body: invitationSecretSchema,
    answer: invitationOfferSchema,
    handle: async ({ body }, deps) => {
      const { email, role, topUp, expiresAt } = await readInvitation(deps, body.secret);
      return { email, role, top_up: presentAmount(topUp), expires_at: isoTime(expiresAt) };
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/invitation/accept',
    summary: 'Open the account that an invitation offers',
    right: 'anyone',
    body: invitationAcceptanceSchema,
    answer: nothing,
    handle: async (call, deps) => {
      const visitor = visitorOf(call.request, deps);
      await enter(call, await acceptInvitation(deps, { ...call.body, visitor }), deps);
      return {};
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/password-reset/mail',
    summary: 'Ask for a link that sets a new password; the answer is always the same',
    right: 'anyone',
    body: emailRequestSchema,
    answer: nothing,
    handle: async ({ request, body }, deps) => {
      await requestPasswordReset(
        { ...deps, post: requirePost(deps) },
        askedBy(request, body, deps),
      );
      return {};
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/password-reset',
    summary: 'Set a new password by a link; signs every browser out',
    right: 'anyone',
    body: passwordResetSchema,
    answer: nothing,
    handle: async ({ body }, deps) => {
      const userId = await resetPassword(deps, body);
      tellAccountChange(deps, { userId, kind: 'password' });
      return {};
    },
  }),
];

function askedBy(
  request: FastifyRequest,
  { email }: { email: string },
  deps: ConsoleDeps,
): AskedMail {
  return {
    email,
    networkAddress: visitorOf(request, deps).address,
    language: pageLanguage(request.headers['accept-language']),
  };
}

function requirePost({ linkPost }: ConsoleDeps): LinkPost {
  if (linkPost) return linkPost;
  throw new ServiceError('forbidden', 'This service sends no mail. Ask an administrator.', {
    retryable: false,
  });
}
