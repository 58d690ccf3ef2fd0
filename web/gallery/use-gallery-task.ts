import { useState } from 'react';

/** Something that takes a while: what it is, and how far it has come. */
export interface GalleryTask {
  title: string;
  done: number;
  /** Null as long as nobody knows. */
  total: number | null;
}

export interface GalleryTasks {
  task: GalleryTask | null;
  stop: () => void;
  /**
   * Shows the task while it is under way; null when it was stopped.
   * @param work calls `report` between two steps, which is where it can be stopped
   */
  run: <T>(
    first: Omit<GalleryTask, 'done'>,
    work: (report: (done: number, total?: number) => void) => Promise<T>,
  ) => Promise<T | null>;
}

class Stopped extends Error {}

export function useGalleryTask(): GalleryTasks {
  const [state, setState] = useState<{ task: GalleryTask; stop: AbortController } | null>(null);
  return {
    task: state?.task ?? null,
    stop: () => state?.stop.abort(new Stopped()),
    run: async (first, work) => {
      const stop = new AbortController();
      setState({ task: { ...first, done: 0 }, stop });
      try {
        return await work((done, total = first.total ?? undefined) => {
          stop.signal.throwIfAborted();
          setState({ task: { title: first.title, done, total: total ?? null }, stop });
        });
      } catch (error) {
        if (error instanceof Stopped) return null;
        throw error;
      } finally {
        setState(null);
      }
    },
  };
}
