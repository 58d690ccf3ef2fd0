/** Users, their money, and by what they get in. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  AdminUser,
  adminKeysSchema,
  adminSessionsSchema,
  adminUsersQuerySchema,
  adminUsersSchema,
  erasureSchema,
  moneyOrderAnswerSchema,
  moneyOrderSchema,
  moneyPreviewSchema,
  newUserSchema,
  userPatchSchema,
} from '../../shared/console/admin-users.ts';
import type {
  invitationListSchema,
  invitationRequestSchema,
  madeInvitationSchema,
  shownLinkSchema,
} from '../../shared/console/sign-in.ts';
import type { TransactionList } from '../../shared/console/wallet.ts';
import { api, type Query } from './call-api.ts';

export type UserList = z.infer<typeof adminUsersSchema>;
export type UserKey = z.infer<typeof adminKeysSchema>['keys'][number];
export type UserSession = z.infer<typeof adminSessionsSchema>['sessions'][number];
export type Invitation = z.infer<typeof invitationListSchema>['invitations'][number];
export type MoneyOrder = z.input<typeof moneyOrderSchema>;
export type OrderedMoney = z.infer<typeof moneyOrderAnswerSchema>;
export type MoneyPreview = z.infer<typeof moneyPreviewSchema>;
export type ShownLink = z.infer<typeof shownLinkSchema>;

export function usersQuery(filter: z.input<typeof adminUsersQuerySchema>) {
  return queryOptions({
    queryKey: ['admin', 'users', 'list', filter],
    queryFn: ({ signal }) => api.get<UserList>('/admin/users', filter, signal),
    placeholderData: keepPreviousData,
  });
}

/** @param zone whose days decide what was done lately */
export function userQuery(id: string, zone: string) {
  return queryOptions({
    queryKey: ['admin', 'users', 'one', id, { zone }],
    queryFn: ({ signal }) => api.get<AdminUser>(pathOf(id), { tz: zone }, signal),
  });
}

export function userLedgerQuery(id: string, filter: Query) {
  return queryOptions({
    queryKey: ['admin', 'users', 'one', id, 'ledger', filter],
    queryFn: ({ signal }) =>
      api.get<TransactionList>(`${pathOf(id)}/wallet/transactions`, filter, signal),
    placeholderData: keepPreviousData,
  });
}

export function moneyPreviewQuery(id: string, order: Pick<MoneyOrder, 'change' | 'amount'>) {
  return queryOptions({
    queryKey: ['admin', 'users', 'one', id, 'preview', order],
    enabled: order.amount !== '',
    queryFn: ({ signal }) => api.get<MoneyPreview>(`${pathOf(id)}/wallet/preview`, order, signal),
    staleTime: 0,
  });
}

export function userKeysQuery(id: string, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['admin', 'users', 'one', id, 'keys', cursor ?? null],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof adminKeysSchema>>(`${pathOf(id)}/keys`, { cursor }, signal),
    placeholderData: keepPreviousData,
  });
}

export function userSessionsQuery(id: string) {
  return queryOptions({
    queryKey: ['admin', 'users', 'one', id, 'sessions'],
    queryFn: async ({ signal }) => {
      const path = `${pathOf(id)}/sessions`;
      return (await api.get<z.infer<typeof adminSessionsSchema>>(path, {}, signal)).sessions;
    },
  });
}

export function invitationsQuery(cursor: string | undefined) {
  return queryOptions({
    queryKey: ['admin', 'invitations', cursor ?? null],
    queryFn: ({ signal }) =>
      api.get<z.infer<typeof invitationListSchema>>('/admin/invitations', { cursor }, signal),
    placeholderData: keepPreviousData,
  });
}

export function createUser(wanted: z.input<typeof newUserSchema>): Promise<AdminUser> {
  return api.post<AdminUser>('/admin/users', wanted);
}

export function editUser(id: string, patch: z.input<typeof userPatchSchema>): Promise<AdminUser> {
  return api.patch<AdminUser>(pathOf(id), patch);
}

export function enableUser(id: string, enabled: boolean): Promise<AdminUser> {
  return api.put<AdminUser>(`${pathOf(id)}/enabled`, { enabled });
}

export function eraseUser(id: string, wanted: z.input<typeof erasureSchema>): Promise<AdminUser> {
  return api.post<AdminUser>(`${pathOf(id)}/erasure`, wanted);
}

/** Once for each reference: a second try is the same order. */
export function orderMoney(id: string, order: MoneyOrder): Promise<OrderedMoney> {
  return api.post<OrderedMoney>(`${pathOf(id)}/wallet/orders`, order);
}

export function enableUserKey(id: string, keyId: string, enabled: boolean): Promise<UserKey> {
  return api.put<UserKey>(`${keyPathOf(id, keyId)}/enabled`, { enabled });
}

export function revokeUserKey(id: string, keyId: string): Promise<UserKey> {
  return api.delete<UserKey>(keyPathOf(id, keyId));
}

/** @param sessionId null for all of them */
export function endSessions(id: string, sessionId: string | null): Promise<{ ended: number }> {
  const path = `${pathOf(id)}/sessions`;
  return api.delete<{ ended: number }>(
    sessionId === null ? path : `${path}/${encodeURIComponent(sessionId)}`,
  );
}

export function invite(
  wanted: z.input<typeof invitationRequestSchema>,
): Promise<z.infer<typeof madeInvitationSchema>> {
  return api.post<z.infer<typeof madeInvitationSchema>>('/admin/invitations', wanted);
}

export async function revokeInvitation(id: string): Promise<void> {
  await api.delete(`/admin/invitations/${encodeURIComponent(id)}`);
}

export function issuePasswordReset(id: string): Promise<ShownLink> {
  return api.post<ShownLink>(`${pathOf(id)}/password-reset`);
}

export async function removeAuthenticator(id: string): Promise<void> {
  await api.delete(`${pathOf(id)}/authenticator`);
}

function pathOf(id: string): string {
  return `/admin/users/${encodeURIComponent(id)}`;
}

function keyPathOf(id: string, keyId: string): string {
  return `${pathOf(id)}/keys/${encodeURIComponent(keyId)}`;
}
