import { useEffect } from 'react';
import type { SettledState } from '../../../../shared/console/trace.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { Job } from '../../../jobs/job.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { focusField } from './focus-field.ts';
import { Unavailable } from './model-picker.tsx';
import { usePlayground } from './playground-context.tsx';
import { useStartOrder } from './use-generate.ts';
import { usePrices } from './use-prices.ts';

interface FailureNoticeProps {
  job: Job;
  error: ApiError | null;
  settled: SettledState | null;
}

/** Why a request failed, who can mend it, and the button that begins to. */
export function FailureNotice({ job, error, settled }: FailureNoticeProps) {
  const { models } = usePlayground();
  const code = error?.code ?? settled?.code ?? null;
  const field = error?.param ?? null;
  useEffect(() => {
    if (code === 'invalid_request_error' && field !== null) focusField(field);
  }, [code, field]);
  const model = models?.find(({ id }) => id === job.order.fields.model);
  // For whoever may know, the condition itself and where to mend it.
  if (code === 'model_unavailable' && model && !model.is_available && model.missing) {
    return <Unavailable model={model} />;
  }
  return (
    <Notice tone="bad" actions={<Remedy job={job} code={code} field={field} />}>
      <FailureText job={job} error={error} code={code} />
      {settled && !settled.charge && <Uncharged code={code} />}
    </Notice>
  );
}

type Code = ApiError['code'] | SettledState['code'];

function FailureText({ job, error, code }: { job: Job; error: ApiError | null; code: Code }) {
  const t = useText(playgroundText).failed;
  const formats = useFormats();
  const price = usePrices();
  const { wallet } = useUser();
  const message = error?.message ?? null;
  switch (code) {
    case 'invalid_request_error':
      return <p>{message === null ? t.other : t.invalid_request_error(message)}</p>;
    case 'insufficient_quota':
      return <p>{t.insufficient_quota(price(job.price), formats.spendable(wallet.available))}</p>;
    case 'model_unavailable':
      return <p>{t.model_unavailable(job.order.fields.model)}</p>;
    case 'rate_limit':
    case 'interrupted':
    case 'client_gone':
      return <p>{t[code]}</p>;
    case 'upstream_error':
      return (
        <>
          <p>{t.upstream_error}</p>
          {message !== null && <p className="text-text-2">{message}</p>}
        </>
      );
    default:
      return (
        <>
          <p>{t.other}</p>
          {message !== null && <p className="text-text-2">{message}</p>}
        </>
      );
  }
}

/** Said only after the record said so; for a refusal before anything began it need not be. */
function Uncharged({ code }: { code: Code }) {
  const t = useText(playgroundText).failed;
  if (code === 'invalid_request_error' || code === 'insufficient_quota') return null;
  return <p>{t.uncharged}</p>;
}

function Remedy({ job, code, field }: { job: Job; code: Code; field: string | null }) {
  const t = useText(playgroundText);
  const start = useStartOrder();
  switch (code) {
    case 'invalid_request_error':
      if (field === null) return null;
      return (
        <Button size="small" onClick={() => focusField(field)}>
          {t.showField}
        </Button>
      );
    case 'insufficient_quota':
      return <Link to={paths.wallet()}>{t.cost.openWallet}</Link>;
    case 'model_unavailable':
      return (
        <Button size="small" onClick={() => focusField('model')}>
          {t.chooseModel}
        </Button>
      );
    default:
      return (
        <Button
          size="small"
          onClick={() => start(job.order, { count: 1, price: job.price, mask: job.mask })}
        >
          {t.retry}
        </Button>
      );
  }
}
