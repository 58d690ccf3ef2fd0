import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { adminModelQuery, type ModelDetail } from '../../../api/admin-models.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { MissingOr } from '../../../parts/missing.tsx';
import { paths } from '../../../paths.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ModelEnabling } from './model-enabling.tsx';
import { ModelForm } from './model-form.tsx';
import { ModelPrice } from './model-price.tsx';
import { ModelServing } from './model-serving.tsx';
import { modelsSearch } from './models-state.ts';
import { PriceHistory } from './price-history.tsx';
import { ReadyTicks } from './ready-ticks.tsx';

/** One model: both of its conditions, and how to meet them. */
export function ModelPage() {
  const t = useText(adminModelsText);
  const [state] = useSearchState(modelsSearch);
  // The route has this parameter.
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const model = useQuery(adminModelQuery(id));
  const list = paths.models(state);
  return (
    <DetailPanel title={id} list={list} listLabel={t.title} rowKey={id}>
      {model.isPending && <SkeletonRows />}
      {model.error && (
        <MissingOr
          id={id}
          list={{ to: list, label: t.title }}
          title={t.modelFailed}
          query={model}
        />
      )}
      {/* Another model has other forms. */}
      {model.data && <Model key={model.data.id} model={model.data} />}
    </DetailPanel>
  );
}

function Model({ model }: { model: ModelDetail }) {
  const t = useText(adminModelsText);
  return (
    <>
      <div className="grid gap-1">
        <p className="text-title font-semibold">{model.is_available ? t.isAvailable : t.isNot}</p>
        <ReadyTicks model={model} />
        {!model.is_available && <p className="text-label text-text-2">{t.both}</p>}
      </div>
      <ModelPrice model={model} />
      <ModelEnabling model={model} />
      <ModelServing model={model} />
      <ModelForm model={model} />
      <PriceHistory prices={model.prices} />
    </>
  );
}
