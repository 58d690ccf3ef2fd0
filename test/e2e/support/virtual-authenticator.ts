import type { Page } from '@playwright/test';
import type { ConsoleBench } from './console.ts';

/** A device with passkeys that lives in the browser, and agrees to everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** From the next page on the browser is one that does not offer passkeys in fields. */
export async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
}

/** The service by a name, which passkeys need: they never belong to numbers. */
export function namedUrl({ app }: ConsoleBench): string {
  const url = new URL(app.baseUrl);
  url.hostname = 'localhost';
  return url.origin;
}
