import { useQuery } from '@tanstack/react-query';
import { setupCatalogQuery } from '../../../api/setup.ts';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { FirstKey } from './first-key.tsx';
import { FirstPicture } from './first-picture.tsx';
import type { StepProps } from './step-props.ts';

/** A key for code, a picture for the eye, and where to go from here. */
export function PictureStep({ upstream, onBack }: StepProps) {
  const t = useText(setupText);
  const catalog = useQuery(setupCatalogQuery(upstream)).data;
  const model = catalog?.models.find(({ is_available: isAvailable }) => isAvailable)?.id ?? null;
  return (
    <div className="grid gap-6">
      <p className="text-text-2">{t.picture.lead}</p>
      <FirstKey />
      {catalog && <FirstPicture model={model} />}
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        {onBack && <Button onClick={onBack}>{t.back}</Button>}
        <Link to={paths.playground()} look="plain" className={buttonClass('secondary')}>
          {t.picture.open}
        </Link>
        <Link to={paths.users()} look="plain" className={buttonClass('quiet')}>
          {t.picture.invite}
        </Link>
        {catalog?.upstream?.kind === 'sandbox' && (
          <Link to={paths.newUpstream()} look="plain" className={buttonClass('quiet')}>
            {t.picture.connect}
          </Link>
        )}
      </div>
    </div>
  );
}
