import type { ModelDetail } from '../../../api/admin-models.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { FactSection } from '../../../ui/facts.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import { ActorName } from '../actor-name.tsx';

/** What it cost when, and who said so. */
export function PriceHistory({ prices }: Pick<ModelDetail, 'prices'>) {
  const t = useText(adminModelsText);
  const among = prices.map(({ price }) => price);
  return (
    <FactSection title={t.history}>
      {prices.length === 0 ? (
        <p className="text-text-2">{t.noHistory}</p>
      ) : (
        <table className="w-full text-left">
          <thead className="text-label text-text-2">
            <tr>
              <th scope="col" className="pb-1 font-normal">
                {t.since}
              </th>
              <th scope="col" className="pb-1 font-normal">
                {t.by}
              </th>
              <th scope="col" className="pb-1 text-right font-normal">
                {t.price}
              </th>
            </tr>
          </thead>
          <tbody>
            {prices.map(({ price, since, by, by_email: email }) => (
              <tr key={`${since} ${price.micros}`} className="border-t border-line align-top">
                <td className="py-1.5 pr-3">
                  <Time at={since} />
                </td>
                <td className="py-1.5 pr-3 wrap-anywhere">
                  <ActorName actor={by} email={email} />
                </td>
                <td className="py-1.5 text-right">
                  <Money amount={price} as="price" among={among} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </FactSection>
  );
}
