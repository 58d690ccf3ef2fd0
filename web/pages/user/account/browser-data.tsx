/** What this browser keeps of the user's pictures. The gallery fills it. */
export function BrowserData() {
  return null;
}
