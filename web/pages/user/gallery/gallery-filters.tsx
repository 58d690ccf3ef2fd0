import { operations } from '../../../../shared/image-options.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { useStore } from '../../../lib/store.ts';
import { ChoiceFilter } from '../../../parts/choice-filter.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { type ActiveFilter, Filters } from '../../../ui/filters.tsx';
import { MoreFilters } from '../../../ui/more-filters.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { gallerySearch, searchedWords } from './gallery-state.ts';

export function GalleryFilters({
  models,
  onClear,
}: {
  models: readonly string[];
  onClear: () => void;
}) {
  const t = useText(galleryText);
  const [{ model, kind, starred, sort }, change] = useSearchState(gallerySearch);
  const words = useStore(searchedWords);
  return (
    <Filters active={useActive()} onClear={onClear}>
      <Field label={t.search} className="min-w-40 flex-1 basis-40 sm:max-w-80 sm:basis-56">
        <TextInput
          type="search"
          autoComplete="off"
          placeholder={t.searchHint}
          value={words}
          onChange={(typed) => searchedWords.set(typed)}
        />
      </Field>
      <MoreFilters label={t.moreFilters}>
        <ChoiceFilter
          label={t.model}
          className="w-48"
          value={model}
          choices={models.map((value) => ({ value, label: value }))}
          onChange={(chosen) => change({ model: chosen })}
        />
        <ChoiceFilter
          label={t.kind}
          className="w-32"
          value={kind}
          choices={operations.map((value) => ({ value, label: t.kinds[value] }))}
          onChange={(chosen) => change({ kind: operations.find((each) => each === chosen) })}
        />
        <Field label={t.sort} className="w-36">
          <Select
            value={sort ?? 'newest'}
            choices={(['newest', 'oldest'] as const).map((value) => ({
              value,
              label: t.sorts[value],
            }))}
            onChange={(chosen) => change({ sort: chosen === 'oldest' ? chosen : undefined })}
          />
        </Field>
        <Checkbox
          label={t.onlyStarred}
          className="mb-[5px] pointer-coarse:mb-0"
          checked={starred === 'yes'}
          onChange={(isOn) => change({ starred: isOn ? 'yes' : undefined })}
        />
      </MoreFilters>
    </Filters>
  );
}

function useActive(): readonly ActiveFilter[] {
  const t = useText(galleryText);
  const [{ model, kind, starred }, change] = useSearchState(gallerySearch);
  const words = useStore(searchedWords);
  const active: ActiveFilter[] = [];
  if (words !== '') {
    active.push({ label: t.filterOf(t.search, words), onRemove: () => searchedWords.set('') });
  }
  if (model !== undefined) {
    const onRemove = () => change({ model: undefined });
    active.push({ label: t.filterOf(t.model, model), onRemove });
  }
  if (kind !== undefined) {
    const onRemove = () => change({ kind: undefined });
    active.push({ label: t.filterOf(t.kind, t.kinds[kind]), onRemove });
  }
  if (starred !== undefined) {
    active.push({ label: t.onlyStarred, onRemove: () => change({ starred: undefined }) });
  }
  return active;
}
