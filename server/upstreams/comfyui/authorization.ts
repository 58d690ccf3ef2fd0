/** ComfyUI has no keys itself; what guards it asks for a password or a bearer key. */
export function authorizationOf(credential: string | null): Readonly<Record<string, string>> {
  if (credential === null) return {};
  if (!credential.includes(':')) return { authorization: `Bearer ${credential}` };
  return { authorization: `Basic ${Buffer.from(credential, 'utf8').toString('base64')}` };
}
