import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { paths } from '../../../../paths.ts';
import { Button } from '../../../../ui/button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { focusField } from '../focus-field.ts';
import { useStartOrder } from '../settings/use-generate.ts';
import { codeOf, type Failure } from './failure.ts';

/** The button that begins to mend what went wrong. */
export function FailureRemedy({ failure }: { failure: Failure }) {
  const t = useText(playgroundText);
  const start = useStartOrder();
  const { job, error } = failure;
  switch (codeOf(failure)) {
    case 'invalid_request_error': {
      const field = error?.param ?? null;
      return (
        <Button size="small" onClick={() => focusField(field ?? 'prompt')}>
          {field === null ? t.editPrompt : t.showField}
        </Button>
      );
    }
    case 'too_large':
      return (
        <Button size="small" onClick={() => focusField('images')}>
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
