import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { beginningOf } from '../../../../shared/beginning.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { useGallery, useGalleryChanges } from '../../../gallery/use-gallery.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { runQuery } from './gallery-queries.ts';
import { GalleryViewer } from './gallery-viewer.tsx';

const titleCharacters = 100;

/** One picture of the gallery, as large as the page. */
export function GalleryImagePage() {
  const t = useText(galleryText);
  const { id: userId } = useUser();
  // The route has this parameter; several have others.
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const gallery = useGallery();
  useGalleryChanges(gallery);
  // Leafing through keeps the page, and with it the focus on the button that is pressed again and again.
  const { data: run } = useQuery({
    ...runQuery({ gallery, userId }, id),
    placeholderData: keepPreviousData,
  });
  const back = { to: paths.gallery(), label: t.viewer.back };
  if (run) {
    const title = beginningOf(run.asked.prompt, titleCharacters) || t.noPrompt;
    return (
      <Page title={title} back={back} width="full">
        <GalleryViewer gallery={gallery} run={run} />
      </Page>
    );
  }
  return (
    <Page title={t.title} back={back}>
      {run === null && (
        <EmptyState
          title={t.viewer.missing}
          action={
            <Link to={paths.gallery()} look="plain" className={buttonClass()}>
              {t.viewer.back}
            </Link>
          }
        >
          {t.viewer.missingText}
        </EmptyState>
      )}
    </Page>
  );
}
