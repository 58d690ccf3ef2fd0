import { Outlet, useChildMatches } from '@tanstack/react-router';
import { Component, type ReactNode } from 'react';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { GalleryList } from './gallery-list.tsx';

/** The pictures that this browser keeps; one of them, when its page is open. */
export function GalleryPage() {
  const t = useText(galleryText);
  const hasImage = useChildMatches().length > 0;
  if (hasImage) return <Outlet />;
  return (
    <Page title={t.title}>
      <WhenReadable fallback={<EmptyState title={t.failed}>{t.failedText}</EmptyState>}>
        <GalleryList />
      </WhenReadable>
    </Page>
  );
}

/** Some browsers let a page store nothing, in private windows for instance. */
class WhenReadable extends Component<
  { fallback: ReactNode; children: ReactNode },
  { hasFailed: boolean }
> {
  static getDerivedStateFromError = () => ({ hasFailed: true });

  override state = { hasFailed: false };

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
