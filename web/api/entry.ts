/** What somebody asks who has no account yet, or cannot use it, and how one leaves. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { invitationOfferSchema } from '../../shared/console/sign-in.ts';
import { api } from './call-api.ts';

export type InvitationOffer = z.infer<typeof invitationOfferSchema>;

export function invitationQuery(secret: string | null) {
  return queryOptions({
    queryKey: ['invitation', secret],
    queryFn: () => api.post<InvitationOffer>('/invitation', { secret }),
    enabled: secret !== null,
    retry: false,
  });
}

interface NewAccount {
  email: string;
  name: string;
  password: string;
}

/** @param account without an address where the invitation names one */
export async function acceptInvitation(
  secret: string,
  account: Omit<NewAccount, 'email'> & { email: string | null },
): Promise<void> {
  await api.post('/invitation/accept', { secret, ...account });
}

export async function register(account: NewAccount): Promise<void> {
  await api.post('/registration', account);
}

export async function askForRegistration(email: string): Promise<void> {
  await api.post('/registration/mail', { email });
}

export async function confirmRegistration(
  secret: string,
  account: Omit<NewAccount, 'email'>,
): Promise<void> {
  await api.post('/registration/confirm', { secret, ...account });
}

export async function askForNewPassword(email: string): Promise<void> {
  await api.post('/password-reset/mail', { email });
}

export async function setNewPassword(secret: string, password: string): Promise<void> {
  await api.post('/password-reset', { secret, password });
}

export async function signOut(): Promise<void> {
  await api.post('/sign-out');
}
