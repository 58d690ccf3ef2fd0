import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { fill } from '../../../i18n/fill.tsx';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { paths } from '../../../paths.ts';
import { FactSection, Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';

/** What was set aside, and what became of it. */
export function RecordMoney({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  const usage = useText(usageText);
  const { aside, perRequest, timesImages } = useText(uiText);
  const formats = useFormats();
  const { hold, charge, refund, unit_price: price, user, model } = record;
  const viewer = useUser();
  const wallet = paths.user(user.id, { tab: 'wallet' });
  // Entries have pages of their own only in one's own wallet.
  const entry = (id: string) => (user.id === viewer.id ? paths.walletEntry(id) : wallet);
  return (
    <FactSection title={t.money}>
      {!hold && <p className="text-text-2">{t.noHold}</p>}
      <Facts
        facts={[
          {
            label: t.price,
            value:
              model === null || !hold ? null : (
                <>
                  <Money amount={price} as="price" />{' '}
                  {record.images > 1 ? timesImages(record.images) : perRequest}
                </>
              ),
          },
          {
            label: t.hold,
            value: hold && (
              <>
                <Money amount={hold.amount} as="cost" />
                {' · '}
                {t.holdStates[hold.state]}
                {hold.cost && fill(aside, { text: <Money amount={hold.cost} as="cost" /> })}
              </>
            ),
          },
          { label: t.began, value: hold && <Time at={hold.created_at} /> },
          { label: t.endedAt, value: hold?.ended_at && <Time at={hold.ended_at} /> },
          { label: t.deliveredAt, value: hold?.delivered_at && <Time at={hold.delivered_at} /> },
          {
            label: t.charge,
            value: charge && (
              <>
                <Link to={entry(charge.id)}>
                  <Money amount={charge.amount} as="change" />
                </Link>{' '}
                <span className="text-text-2">
                  {usage.balanceAfter(formats.total(charge.balance_after))}
                </span>
              </>
            ),
          },
          {
            label: usage.refund,
            value: refund && (
              <>
                <Link to={entry(refund.id)}>
                  <Money amount={refund.amount} as="change" />
                </Link>{' '}
                <span className="text-text-2">
                  <Time at={refund.created_at} />
                </span>
              </>
            ),
          },
          {
            label: t.process,
            value: hold && (
              <code className="text-caption break-all" translate="no">
                {hold.process}
              </code>
            ),
          },
        ]}
      />
      <p>
        <Link to={wallet}>{t.openWallet}</Link>
      </p>
    </FactSection>
  );
}
