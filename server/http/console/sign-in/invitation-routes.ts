/** What an administrator does so that somebody can sign in: invitations, reset links. */
import { z } from 'zod';
import { secretLink } from '../../../../shared/console/links.ts';
import { pageRows } from '../../../../shared/console/ranges.ts';
import { roleSchema } from '../../../../shared/console/session.ts';
import {
  invitationListSchema,
  invitationRequestSchema,
  madeInvitationSchema,
  shownLinkSchema,
} from '../../../../shared/console/sign-in.ts';
import { readEmails } from '../../../accounts/user-store.ts';
import { removeAuthenticator } from '../../../flows/sign-in/change-authenticator.ts';
import { issuePasswordReset } from '../../../flows/sign-in/reset-password.ts';
import { tellAccountChange } from '../../../flows/sign-in/tell-account-change.ts';
import { inviteUser, revokeInvitation } from '../../../flows/users/invite-user.ts';
import { mailInvitation } from '../../../flows/users/mail-invitation.ts';
import { challengeLifeMs } from '../../../identity/challenge.ts';
import { type Invitation, stateOfInvitation } from '../../../identity/invitation.ts';
import { listInvitations } from '../../../identity/invitation-store.ts';
import { must } from '../../../lib/assert.ts';
import { invalidRequest } from '../../../lib/service-error.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { adminOf, amountOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentAmount } from '../present/amount.ts';

const idParams = z.object({ id: z.string().min(1).max(100) });

export const invitationRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/invitations',
    summary: 'Invitations, the newest first',
    right: 'admin.users',
    query: z.object({ cursor: z.string().max(100).optional() }),
    answer: invitationListSchema,
    handle: async ({ query }, deps) => {
      const page = { after: query.cursor ?? null, limit: pageRows };
      const { items, next } = await listInvitations(deps.database, page);
      return { invitations: await presentInvitations(items, deps), next };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/invitations',
    summary: 'Invite somebody; the link is shown only this once',
    right: 'admin.users',
    isDelicate: true,
    body: invitationRequestSchema,
    answer: madeInvitationSchema,
    handle: async ({ viewer, body }, deps) => {
      const { email, role } = body;
      const mailing = body.send_mail ? mailingOf(email, deps) : null;
      const topUp = amountOf(body.top_up, 'top_up');
      const made = await inviteUser(adminOf(viewer, deps, undefined), { email, role, topUp });
      if (mailing) {
        const mail = { to: mailing.to, language: body.mail_language, made };
        await mailInvitation({ ...deps, post: mailing.post }, mail);
      }
      const [invitation] = await presentInvitations([made.invitation], deps);
      const link = secretLink('invitation', made.secret);
      return { invitation: must(invitation, 'the invitation that was made'), link };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/invitations/:id',
    summary: 'Withdraw an invitation',
    right: 'admin.users',
    params: idParams,
    answer: z.object({}),
    handle: async ({ viewer, params }, deps) => {
      await revokeInvitation(adminOf(viewer, deps, undefined), params.id);
      return {};
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/users/:id/password-reset',
    summary: 'A link with which a user sets a new password, shown only this once',
    right: 'admin.users',
    isDelicate: true,
    params: idParams,
    answer: shownLinkSchema,
    handle: async ({ viewer, params }, deps) => {
      const secret = await issuePasswordReset(adminOf(viewer, deps, undefined), params.id);
      const expiresAt = deps.clock.now() + challengeLifeMs.password_reset;
      return { link: secretLink('password_reset', secret), expires_at: isoTime(expiresAt) };
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/users/:id/authenticator',
    summary: 'Let a user who lost their authenticator sign in without it',
    right: 'admin.users',
    isDelicate: true,
    params: idParams,
    answer: z.object({}),
    handle: async ({ viewer, params }, deps) => {
      const userId = await removeAuthenticator(adminOf(viewer, deps, undefined), params.id);
      if (userId !== null) tellAccountChange(deps, { userId, kind: 'authenticator_removed' });
      return {};
    },
  }),
];

/** To whom and by what. */
function mailingOf(to: string | null, { linkPost: post }: ConsoleDeps) {
  if (to !== null && post !== null) return { to, post };
  throw invalidRequest('send_mail', 'Mail needs an address, and a service that sends mail.');
}

async function presentInvitations(
  invitations: readonly Invitation[],
  { database, clock }: ConsoleDeps,
) {
  const emails = await readEmails(
    database,
    invitations.map(({ invitedBy }) => invitedBy),
  );
  return invitations.map((invitation) => ({
    id: invitation.id,
    email: invitation.email,
    role: roleSchema.parse(invitation.role),
    top_up: presentAmount(invitation.topUp),
    invited_by: emails.get(invitation.invitedBy) ?? invitation.invitedBy,
    state: stateOfInvitation(invitation, clock.now()),
    created_at: isoTime(invitation.createdAt),
    expires_at: isoTime(invitation.expiresAt),
  }));
}
