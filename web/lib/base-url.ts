/** What programs call: `https://images.example.com/v1`. */
export function apiBaseUrl({ public_url: publicUrl }: { public_url: string | null }): string {
  return `${publicUrl ?? window.location.origin}/v1`;
}
