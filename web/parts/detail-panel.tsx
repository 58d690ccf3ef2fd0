/** Rows that open beside their list when reached from it, and as a page of their own otherwise. */
import { Outlet, useChildMatches, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import type { Target } from '../paths.ts';
import { SidePanel } from '../ui/side-panel.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Page } from './page.tsx';
import { useListKeys } from './use-list-keys.ts';

/** What a link from a list carries: `<Link to={paths.usageRecord(id)} state={fromList} />`. */
export const fromList = { fromList: true } as const;

/** The page of a list whose rows have pages below it. */
export function ListWithDetail({ children }: { children: ReactNode }) {
  const hasDetail = useChildMatches().length > 0;
  const isFromList = useIsFromList();
  useListKeys();
  if (hasDetail && !isFromList) return <Outlet />;
  return (
    <>
      {children}
      <Outlet />
    </>
  );
}

export interface DetailPanelProps {
  title: string;
  /** The list, with its filters as they are. */
  list: Target;
  listLabel: string;
  /** Of the row in the list, which gets the focus when the panel closes. */
  rowKey: string;
  actions?: ReactNode;
  /** The focus goes to its first field when it opens as a panel; by default to its title. */
  startsAtField?: boolean;
  children: ReactNode;
}

export function DetailPanel({
  title,
  list,
  listLabel,
  rowKey,
  actions,
  startsAtField = false,
  children,
}: DetailPanelProps) {
  const navigate = useNavigate();
  const isPanel = useIsFromList();
  useRowAfterwards(isPanel ? rowKey : null);
  if (!isPanel) {
    return (
      <Page title={title} back={{ to: list, label: listLabel }} width="reading" actions={actions}>
        {children}
      </Page>
    );
  }
  return (
    <SidePanel
      open
      title={title}
      actions={actions}
      startsAtField={startsAtField}
      // The address changes before the panel goes: without its state the list would go too, and come back anew.
      onClose={() =>
        void navigate({
          to: list.path,
          search: list.search ?? {},
          state: { ...fromList },
          resetScroll: false,
        })
      }
    >
      {/* What is still loaded for what the panel shows, such as words, does not take away the panel. */}
      <Suspense fallback={<SkeletonRows />}>{children}</Suspense>
    </SidePanel>
  );
}

/** However the panel is closed, also by Back: the focus goes to the row that it belongs to. */
function useRowAfterwards(rowKey: string | null): void {
  useEffect(() => {
    if (rowKey === null) return undefined;
    return () => {
      // By then the panel has let go of the focus, and the page can have it.
      requestAnimationFrame(() => linkOfRow(rowKey)?.focus({ preventScroll: true }));
    };
  }, [rowKey]);
}

/** Opens a row; for `onOpen` of a table. */
export function useOpenDetail(): (to: Target) => void {
  const navigate = useNavigate();
  return ({ path, search = {} }) => {
    void navigate({ to: path, search, state: { ...fromList }, resetScroll: false });
  };
}

function useIsFromList(): boolean {
  const { state } = useLocation();
  return state.fromList === true;
}

function linkOfRow(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"] a`);
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    fromList?: boolean;
  }
}
