import { generateSync } from 'otplib';
import { newAuthenticatorSchema, recoveryCodesSchema } from '../../../shared/console/account.ts';
import type { TestUser } from '../../support/app.ts';
import { signedIn } from '../../support/console/visitor.ts';
import type { ConsoleBench } from './console.ts';

/** Gives somebody an authenticator. */
export async function equip({ app }: ConsoleBench, user: TestUser) {
  const visitor = await signedIn(app, user);
  const begun = await visitor.post('/account/authenticator');
  const { secret } = newAuthenticatorSchema.parse(begun.body);
  const confirmed = await visitor.post('/account/authenticator/confirm', {
    code: codeOf(secret, 0),
  });
  return { secret, codes: recoveryCodesSchema.parse(confirmed.body).recovery_codes };
}

/** @param steps of thirty seconds from now */
export function codeOf(secret: string, steps: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
}
