import { useState } from 'react';
import type { SettingView } from '../../../../shared/console/admin-settings.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { changeSettings } from '../../../api/admin-settings.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminSettingsText } from '../../../i18n/admin-settings-text.ts';
import { useText } from '../../../i18n/text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Button } from '../../../ui/button.tsx';
import { SettingField } from './setting-field.tsx';
import { problemOf } from './setting-problem.ts';

/** By name, as typed. */
type Typed = Readonly<Record<string, string>>;

/** Drawn from what the service says of each setting; all of the section is saved, or nothing. */
export function SectionForm({
  section,
  label,
  settings,
}: {
  section: string;
  label: string;
  settings: readonly SettingView[];
}) {
  const t = useText(adminSettingsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const [isSaved, setSaved] = useState(false);
  const stored = typedOf(settings);
  const form = useForm<Typed>({
    initial: stored,
    check: (typed) =>
      Object.fromEntries(
        settings.map((setting) => [
          setting.name,
          problemOf(setting, typed[setting.name] ?? '', { t, badAmount: words.badAmount }),
        ]),
      ),
    submit: async (_typed, changes) => {
      const changed = await changeSettings(section, valuesOf(settings, changes));
      await refresh();
      setSaved(true);
      return typedOf(changed);
    },
  });
  return (
    <Form form={form} className="max-w-120 gap-5" aria-label={label}>
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={form.values[setting.name] ?? ''}
          error={form.errors[setting.name]}
          onChange={(value) => form.set(setting.name, value)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {words.save}
        </Button>
        {form.isDirty && (
          <Button look="quiet" onClick={() => form.reset(stored)}>
            {t.discard}
          </Button>
        )}
        <ResultLine>{isSaved && !form.isDirty ? words.saved : null}</ResultLine>
      </div>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Form>
  );
}

function typedOf(settings: readonly SettingView[]): Typed {
  return Object.fromEntries(settings.map(({ name, value }) => [name, String(value)]));
}

/** Of what was changed, what is not locked. */
function valuesOf(settings: readonly SettingView[], changes: Partial<Typed>) {
  return Object.fromEntries(
    settings.flatMap(({ name, form, locked }) => {
      const text = changes[name];
      if (locked !== null || text === undefined) return [];
      return [[name, form.kind === 'integer' ? Number(text) : text.trim()]];
    }),
  );
}
