import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { addModel } from '../../../api/admin-models.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useLeadOn } from '../../../lib/still-here.ts';
import { fromList } from '../../../parts/detail-panel.tsx';
import { paths } from '../../../paths.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** A model begins without a price, disabled; what is next is on its page. */
export function AddModelDialog({ onClose }: { onClose: () => void }) {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const leadOn = useLeadOn();
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: { id: '', description: '' },
    check: ({ id }) => ({ id: id.trim() === '' ? words.missing : null }),
    submit: async ({ id, description }) => {
      const added = await addModel({ id: id.trim(), description: description.trim() });
      await refresh();
      onClose();
      await leadOn({ to: paths.model(added.id).path, state: { ...fromList } });
    },
  });
  return (
    <FormDialog form={form} title={t.addTitle} confirm={t.addConfirm} onClose={onClose}>
      <Field label={t.id} help={t.idHelp} error={form.errors.id}>
        <TextInput {...form.input('id')} mono spellCheck={false} autoComplete="off" />
      </Field>
      <Field label={t.description} note={ui.optional} error={form.errors.description}>
        <TextInput {...form.input('description')} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
