import { useState } from 'react';
import type { AdminModel } from '../../../../shared/console/admin-models.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { editModel, type ModelDetail } from '../../../api/admin-models.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { FactSection } from '../../../ui/facts.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** What is said of a model, and where it stands in the list. */
export function ModelForm({ model }: { model: ModelDetail }) {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const [isSaved, setSaved] = useState(false);
  const form = useForm({
    initial: valuesOf(model),
    check: ({ position }) => ({ position: /^\d{1,6}$/.test(position) ? null : words.badNumber }),
    submit: async (_values, { position, ...rest }) => {
      const edited = await editModel(model.id, {
        ...rest,
        position: position === undefined ? undefined : Number(position),
      });
      await refresh();
      setSaved(true);
      return valuesOf(edited);
    },
  });
  return (
    <FactSection title={t.details}>
      <Form form={form} className="pt-1">
        <Field label={t.description} help={t.descriptionHelp} error={form.errors.description}>
          <TextInput {...form.input('description')} />
        </Field>
        <Field
          label={t.position}
          help={t.positionHelp}
          error={form.errors.position}
          className="w-48"
        >
          <NumberInput {...form.input('position')} />
        </Field>
        <Checkbox
          label={t.extended}
          help={t.extendedHelp}
          checked={form.values.extended_qualities}
          onChange={(isOn) => form.set('extended_qualities', isOn)}
        />
        <div className="flex items-center gap-3">
          <Button type="submit" busy={form.isBusy}>
            {words.save}
          </Button>
          <ResultLine>{isSaved && !form.isDirty ? words.saved : null}</ResultLine>
        </div>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </FactSection>
  );
}

function valuesOf({ description, extended_qualities, position }: AdminModel) {
  return { description, extended_qualities, position: String(position) };
}
