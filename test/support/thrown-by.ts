/** What a call failed with; a call that succeeds is an error. */
export async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
