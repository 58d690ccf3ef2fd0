/**
 * Whose page this is, from when somebody is signed in until it is loaded anew. All windows of a browser
 * share one session: who signs in in another one makes it theirs, and this page's requests are not.
 */
let userId: string | null = null;

export function setPageUser(id: string): void {
  userId = id;
}

export function pageUser(): string | null {
  return userId;
}
