interface Installation {
  /** As the operator says; null when nobody did. */
  public_url: string | null;
}

/** Where the service is for everybody: `https://images.example.com`. */
export function publicUrl({ public_url: url }: Installation): string {
  return url ?? window.location.origin;
}

/** What programs call: `https://images.example.com/v1`. */
export function apiBaseUrl(installation: Installation): string {
  return `${publicUrl(installation)}/v1`;
}
