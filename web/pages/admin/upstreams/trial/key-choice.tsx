import type { UpstreamDetail } from '../../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';

/** Which of several keys a test goes out with; nothing to choose where there is one. */
export function KeyChoice({
  upstream: { key_list: keys },
  unchosen,
  value,
  onChange,
}: {
  upstream: UpstreamDetail;
  /** What is done where none is chosen. */
  unchosen: string;
  /** Empty for none. */
  value: string;
  onChange: (key: string) => void;
}) {
  const t = useText(adminUpstreamsText);
  if (keys.length < 2) return null;
  return (
    <Field label={t.testKey} className="w-60 max-sm:w-full">
      <Select
        value={value}
        choices={[
          { value: '', label: unchosen },
          ...keys.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={onChange}
      />
    </Field>
  );
}
