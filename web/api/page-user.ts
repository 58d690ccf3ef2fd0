/**
 * The user whose page this is, from the sign-in until the page is loaded again. It may not be who the session belongs
 * to: all windows of a browser share one session, and somebody else may have signed in in another window.
 */
let userId: string | null = null;

export function setPageUser(id: string): void {
  userId = id;
}

export function pageUser(): string | null {
  return userId;
}
