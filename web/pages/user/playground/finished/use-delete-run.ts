import { useDeleteSoon } from '../../../../gallery/use-delete-soon.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { usePlayground } from '../playground-context.tsx';

export function useDeleteRun({ id }: Finished): () => void {
  const t = useText(playgroundText).actions;
  const { gallery, runner } = usePlayground();
  const deleteSoon = useDeleteSoon(gallery);
  return () => deleteSoon({ ids: [id], onDelete: () => runner.forget(id), words: t });
}
