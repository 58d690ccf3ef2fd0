import { Suspense } from 'react';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useMediaQuery } from '../../../lib/media-query.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { Page } from '../../../parts/page.tsx';
import { PlaygroundProvider } from './playground-context.tsx';
import { playgroundSearch } from './playground-search.ts';
import { ReferenceIntake } from './references/reference-intake.tsx';
import { SettingsColumn } from './settings/settings-column.tsx';
import { Stage } from './stage/stage.tsx';
import { TabTitle } from './tab-title.tsx';

// Only links of the gallery bring something.
const FromGallery = lazyPart(
  async () => (await import('./references/from-gallery.tsx')).FromGallery,
);

/** Two columns where there is room for both; the stage above the settings elsewhere. */
export function PlaygroundPage() {
  const t = useText(playgroundText);
  const [{ from }] = useSearchState(playgroundSearch);
  const isWide = useMediaQuery('(min-width: 1100px)');
  // In the order in which they are seen, so that the focus goes the same way.
  const parts = [<SettingsColumn key="settings" />, <Stage key="stage" />];
  return (
    <PlaygroundProvider>
      <Page title={t.title} width="full">
        <ReferenceIntake>
          <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] lg:h-[calc(100dvh-48px-var(--notices-height))] lg:flex-none lg:grid-cols-[360px_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)]">
            {isWide ? parts : parts.toReversed()}
          </div>
          {from !== undefined && (
            <Suspense>
              <FromGallery />
            </Suspense>
          )}
        </ReferenceIntake>
        <TabTitle />
      </Page>
    </PlaygroundProvider>
  );
}
