import type { Form } from '../../../../forms/use-form.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { TextInput } from '../../../../ui/text-input.tsx';
import type { Connection } from './connection.ts';

/** By which way the calls go out. The address may hold a password, so it is never shown. */
export function ProxyFields({ form, isSet }: { form: Form<Connection>; isSet: boolean }) {
  const t = useText(adminUpstreamsText);
  const { isDirect } = form.values;
  return (
    <div className="grid gap-2">
      <Field
        label={t.proxyNew}
        help={isSet ? t.proxySet : t.proxyNewHelp}
        error={form.errors.proxy}
      >
        <TextInput
          {...form.input('proxy')}
          mono
          autoComplete="off"
          spellCheck={false}
          disabled={isDirect}
          placeholder={isSet ? '••••••••' : t.proxyUnset}
        />
      </Field>
      {isSet && (
        <Checkbox
          label={t.proxyRemove}
          checked={isDirect}
          onChange={(isOn) => form.set('isDirect', isOn)}
        />
      )}
    </div>
  );
}
