import { useEffect } from 'react';
import { useUser } from '../../../../api/bootstrap.ts';
import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useErrorWords, useSaid } from '../../../../parts/use-error-words.ts';
import { Notice } from '../../../../ui/notice.tsx';
import { focusField } from '../focus-field.ts';
import { usePlayground } from '../playground-context.tsx';
import { UnavailableNotice } from '../settings/unavailable-notice.tsx';
import { usePrices } from '../use-prices.ts';
import { codeOf, type Failure } from './failure.ts';
import { FailureRemedy } from './failure-remedy.tsx';

/** Why a request failed, who can mend it, and the button that begins to. */
export function FailureNotice({ failure }: { failure: Failure }) {
  const { models, reloadModels } = usePlayground();
  const { rights } = useUser();
  const { job, error } = failure;
  const code = codeOf(failure);
  const field = error?.param ?? null;
  useEffect(() => {
    if (code === 'invalid_request_error' && field !== null) focusField(field);
    // What the page knew of the models was not so any more.
    if (code === 'model_unavailable') reloadModels();
    // Once for each failure.
    // oxlint-disable-next-line react/exhaustive-deps -- a reload changes the function
  }, [code, field]);
  const modelId = job.order.fields.model;
  const model = models?.find(({ id }) => id === modelId) ?? null;
  if (code === 'model_unavailable' && !model?.is_available) {
    // A model that is not even listed is disabled.
    const missing = model ? model.missing : rights.includes('admin.models') ? 'enabled' : null;
    return (
      <UnavailableNotice modelId={modelId} missing={missing} onChoose={() => focusField('model')} />
    );
  }
  return (
    <Notice tone="bad" actions={<FailureRemedy failure={failure} />}>
      <FailureText failure={failure} />
    </Notice>
  );
}

/** That nothing was charged, or it was returned, is said only when the record says so, or the service itself in its words. */
function FailureText({ failure }: { failure: Failure }) {
  const t = useText(playgroundText).failed;
  const formats = useFormats();
  const said = useSaid();
  const wordsOf = useErrorWords();
  const price = usePrices();
  const { wallet } = useUser();
  const { job, error, settled } = failure;
  const message = error && said(error.message);
  const wasReturned = settled !== null && settled.refund !== null;
  const free = wasReturned ? t.returned : settled && !settled.charge ? t.uncharged : null;
  const costsNothing = free === null ? null : <p>{free}</p>;
  const code = codeOf(failure);
  switch (code) {
    case 'insufficient_quota':
      return <p>{t.insufficient_quota(price(job.price), formats.spendable(wallet.available))}</p>;
    case 'invalid_request_error':
      if (message !== null) {
        return <p>{error?.param ? t.invalid_request_error(message) : message}</p>;
      }
      return (
        <>
          <p>{t.upstream_refused}</p>
          {costsNothing}
        </>
      );
    case 'upstream_error':
    case 'interrupted':
    case 'client_gone':
    case 'rate_limit':
      return (
        <>
          <p>{code === 'client_gone' && wasReturned ? t.untaken : t[code]}</p>
          {costsNothing}
        </>
      );
    default:
      return (
        <>
          <p>{error ? wordsOf(error) : t.other}</p>
          {/* The status is all that is known of it. */}
          {error?.code === 'unreadable' && <p>{error.message}</p>}
          {costsNothing}
        </>
      );
  }
}
