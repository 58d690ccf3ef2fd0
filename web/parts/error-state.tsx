import { toApiError } from '../api/api-error.ts';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ErrorWords } from './error-note.tsx';
import { LostPlace } from './lost-place.tsx';

/** In the place of what could not be loaded; the rest of the page stays usable. */
export function ErrorState({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  /** What failed: "Usage could not be loaded". */
  title: string;
  onRetry?: () => void;
}) {
  const t = useText(uiText);
  const apiError = toApiError(error);
  if (apiError.param === 'cursor') return <LostPlace />;
  return (
    <Notice
      tone="bad"
      title={title}
      actions={
        onRetry &&
        // The same again, such as a range that ends before it begins, would be refused again.
        apiError.code !== 'invalid_request_error' && (
          <Button size="small" onClick={onRetry}>
            {t.retry}
          </Button>
        )
      }
    >
      <ErrorWords error={apiError} />
    </Notice>
  );
}
