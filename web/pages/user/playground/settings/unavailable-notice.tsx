import type { PlaygroundModel } from '../../../../../shared/console/models.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { paths } from '../../../../paths.ts';
import { Button } from '../../../../ui/button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Notice } from '../../../../ui/notice.tsx';

/** That a model cannot be used; for those who can mend it, what is missing and where. */
export function UnavailableNotice({
  modelId,
  missing,
  onChoose,
}: {
  modelId: string;
  missing: PlaygroundModel['missing'];
  /** Leads to the other models, from elsewhere on the page. */
  onChoose?: () => void;
}) {
  const t = useText(playgroundText);
  const actions = (
    <>
      {onChoose && (
        <Button size="small" onClick={onChoose}>
          {t.chooseModel}
        </Button>
      )}
      {missing && <Link to={paths.model(modelId)}>{t.repair[missing]}</Link>}
    </>
  );
  return (
    <Notice
      tone="warn"
      title={t.failed.model_unavailable(modelId)}
      {...(onChoose || missing ? { actions } : {})}
    >
      {missing && <p>{t.missing[missing]}</p>}
    </Notice>
  );
}
