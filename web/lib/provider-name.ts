/** How people write the provider of a payment. */
export function providerName(provider: string): string {
  return provider === 'stripe' ? 'Stripe' : provider;
}
