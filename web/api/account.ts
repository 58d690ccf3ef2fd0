/** One's own account. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  Account,
  accessTokenRequestSchema,
  madeAccessTokenSchema,
  newAuthenticatorSchema,
  preferencesChangeSchema,
  preferencesSchema,
} from '../../shared/console/account.ts';
import { api } from './call-api.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api.get<Account>('/account', {}, signal),
});

export type Preferences = z.infer<typeof preferencesSchema>;
export type NewAuthenticator = z.infer<typeof newAuthenticatorSchema>;
export type MadeToken = z.infer<typeof madeAccessTokenSchema>;

export async function renameUser(name: string): Promise<void> {
  await api.patch('/account/profile', { name });
}

export function changePreferences(
  changes: z.infer<typeof preferencesChangeSchema>,
): Promise<Preferences> {
  return api.patch<Preferences>('/account/preferences', changes);
}

export async function changePassword(password: string): Promise<void> {
  await api.post('/account/password', { password });
}

export async function endSession(id: string): Promise<void> {
  await api.delete(`/account/sessions/${encodeURIComponent(id)}`);
}

export async function endOtherSessions(): Promise<number> {
  const { ended } = await api.post<{ ended: number }>('/account/sessions/end-others');
  return ended;
}

export function beginAuthenticator(): Promise<NewAuthenticator> {
  return api.post<NewAuthenticator>('/account/authenticator');
}

export async function confirmAuthenticator(code: string): Promise<readonly string[]> {
  return codesOf(await api.post<Codes>('/account/authenticator/confirm', { code }));
}

export async function removeAuthenticator(): Promise<void> {
  await api.delete('/account/authenticator');
}

export async function renewRecoveryCodes(): Promise<readonly string[]> {
  return codesOf(await api.post<Codes>('/account/recovery-codes'));
}

interface Codes {
  recovery_codes: string[];
}

function codesOf({ recovery_codes: codes }: Codes): readonly string[] {
  return codes;
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await api.patch(`/account/passkeys/${encodeURIComponent(id)}`, { name });
}

export async function removePasskey(id: string): Promise<void> {
  await api.delete(`/account/passkeys/${encodeURIComponent(id)}`);
}

export function makeAccessToken(wanted: z.infer<typeof accessTokenRequestSchema>) {
  return api.post<MadeToken>('/account/access-tokens', wanted);
}

export async function revokeAccessToken(id: string): Promise<void> {
  await api.delete(`/account/access-tokens/${encodeURIComponent(id)}`);
}
