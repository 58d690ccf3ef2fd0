/** What one tab tells the others of the same user. */
export interface Broadcast<Message> {
  tell(message: Message): void;
  /** Returns how to stop listening. */
  listen(listener: (message: Message) => void): () => void;
}

/**
 * @param name unique in the console
 * @param userId so that another user's tabs are not reached; `anybody` where they are to be
 */
export function openBroadcast<Message>(name: string, userId: string): Broadcast<Message> {
  const line = openLine(`tintype.${name}.${userId}`);
  return {
    tell: (message) => line?.postMessage(message),
    listen: (listener) => {
      if (!line) return () => {};
      // Only this version of this code posts on it; after an upgrade, tabs reload.
      const onMessage = ({ data }: MessageEvent<Message>) => listener(data);
      line.addEventListener('message', onMessage);
      return () => line.removeEventListener('message', onMessage);
    },
  };
}

/** Null in browsers that keep nothing for a page: some keep its tabs apart as well. */
function openLine(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
