import type { UsageDetail } from '../../../../shared/console/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { paths } from '../../../paths.ts';
import { FactSection, Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';

/** The price, and what it did to the wallet. */
export function RequestBilling({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const { notBilled } = useText(requestText);
  const { perRequest, timesImages } = useText(uiText);
  const formats = useFormats();
  const { status, cost, unit_price: price, charge, refund } = record;
  const isUnbilled = status === 'failed' || status === 'canceled';
  return (
    <FactSection title={t.billing}>
      <Facts
        facts={[
          {
            label: t.unitPrice,
            // What was refused at once never had a price.
            value:
              isUnbilled && price.micros === 0 ? null : (
                <>
                  <Money amount={price} as="price" />{' '}
                  {record.images > 1 ? timesImages(record.images) : perRequest}
                </>
              ),
          },
          {
            label: t.cost,
            value: (
              <>
                <Money amount={cost} as="cost" />
                {isUnbilled && ` · ${notBilled}`}
              </>
            ),
          },
          {
            label: t.walletEntry,
            value: charge && (
              <>
                <Link to={paths.walletEntry(charge.id)}>
                  <Money amount={charge.amount} as="change" />
                </Link>{' '}
                <span className="text-text-2">
                  {t.balanceAfter(formats.total(charge.balance_after))}
                </span>
              </>
            ),
          },
          {
            label: t.refund,
            value: refund && (
              <Link to={paths.walletEntry(refund.id)}>
                <Money amount={refund.amount} as="change" />
              </Link>
            ),
          },
        ]}
      />
    </FactSection>
  );
}
