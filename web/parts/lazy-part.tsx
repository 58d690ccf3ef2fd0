import {
  Component,
  type ComponentType,
  createElement,
  type ReactNode,
  use,
  useEffect,
} from 'react';
import { toApiError, unreachable } from '../api/api-error.ts';
import { loadPart } from '../api/load-part.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { onReconnect } from '../lib/connection.ts';
import { isChunkError, useIsNewVersion, whyUnloaded } from '../lib/new-version.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { ErrorState } from './error-state.tsx';

/** `over` opens over the page and is closed by its `onClose`; of what is `unseen` nobody would know what is missing. */
type Look = 'in_place' | 'over' | 'unseen';

const unseenRetryMs = 10_000;

type LazyPart<P> = ComponentType<P> & {
  /** Loads it before it is shown: it is then there at once. Who shows what could not be loaded tries again. */
  preload: () => Promise<void>;
};

/**
 * Like React's `lazy`, for a part of a page. Where its file or its words cannot be loaded, the rest of the page
 * stays as it is, and the part can be asked for again: React would go on failing, and take the page with it. It is
 * asked for by itself as soon as there is a connection again.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  look: Look = 'in_place',
): LazyPart<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  const loadOnce = () => {
    loading ??= startLoading(load);
    return loading;
  };
  const forget = () => {
    loading = null;
  };
  function Loaded(props: P) {
    return createElement(use(loadOnce()), props);
  }
  function Part(props: P) {
    const onClose = look === 'over' ? (props as { onClose?: () => void }).onClose : undefined;
    return (
      <PartBoundary look={look} onClose={onClose} onForget={forget}>
        <Loaded {...props} />
      </PartBoundary>
    );
  }
  const preload = () => loadOnce().then(() => {}, forget);
  return Object.assign(Part, { preload });
}

function startLoading<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  const loading = loadPart(load);
  loading.then(
    // As React marks what it has waited for: it would show nothing for a third of a second, though all is there.
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    () => {},
  );
  return loading;
}

interface BoundaryProps {
  look: Look;
  onClose: (() => void) | undefined;
  /** What failed is not asked again by itself. */
  onForget: () => void;
  children: ReactNode;
}

/** Holds only what could not be loaded; whatever else is thrown goes on to the page. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentWillUnmount() {
    if (this.state.error !== null) this.props.onForget();
  }

  override render() {
    const { error } = this.state;
    const { look, onClose, children } = this.props;
    if (error === null) return children;
    if (!isChunkError(error) && toApiError(error).code !== 'unreachable') throw error;
    if (look === 'unseen') return <FailedUnseen onRetry={this.#loadAgain} />;
    const again = { onRetry: this.#retry, onReconnected: this.#loadAgain };
    return look === 'over' ? (
      <FailedDialog error={error} onClose={onClose} {...again} />
    ) : (
      <FailedPart error={error} {...again} />
    );
  }

  readonly #retry = () => void this.#reloadOrLoadAgain();

  readonly #loadAgain = () => {
    this.props.onForget();
    this.setState({ error: null });
  };

  async #reloadOrLoadAgain(): Promise<void> {
    const { error } = this.state;
    if (isChunkError(error) && (await whyUnloaded(error)) === 'remembered') {
      window.location.reload();
      return;
    }
    this.#loadAgain();
  }
}

interface FailedProps {
  error: unknown;
  /** Asked for by the user, who may lose what is on the page. */
  onRetry: () => void;
  onReconnected: () => void;
}

/** Without a word: what cannot be seen is no reason to say that something is missing. */
function FailedUnseen({ onRetry }: { onRetry: () => void }) {
  const isNewer = useIsNewVersion();
  useEffect(() => {
    // What is gone stays gone until the page is loaded anew.
    if (isNewer) return;
    const timer = setTimeout(onRetry, unseenRetryMs);
    return () => clearTimeout(timer);
  }, [isNewer, onRetry]);
  return null;
}

function FailedDialog({ onClose, ...failed }: FailedProps & { onClose: (() => void) | undefined }) {
  const t = useText(shellText);
  return (
    <Dialog
      open
      width="narrow"
      title={t.broken.part}
      isForced={onClose === undefined}
      onClose={() => onClose?.()}
    >
      <FailedPart title={t.broken.unloaded} {...failed} />
    </Dialog>
  );
}

/** In the place of a part that could not be loaded, or whose file is gone after an upgrade. */
function FailedPart({ error, title, onRetry, onReconnected }: FailedProps & { title?: string }) {
  const t = useText(shellText);
  const isNewer = useIsNewVersion();
  useEffect(() => onReconnect(onReconnected), [onReconnected]);
  if (isChunkError(error) && isNewer) {
    return (
      <Notice
        tone="warn"
        title={t.newVersion.title}
        actions={
          <Button size="small" onClick={() => window.location.reload()}>
            {t.newVersion.reload}
          </Button>
        }
      >
        {t.newVersion.text}
      </Notice>
    );
  }
  const shown = isChunkError(error) ? unreachable(error) : error;
  return <ErrorState error={shown} title={title ?? t.broken.part} onRetry={onRetry} />;
}
