import { confirmAuthenticator, type NewAuthenticator } from '../../../api/account.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** The secret for the app, and a first code to see that it has it. */
export function AuthenticatorDialog({
  begun: { qr, secret },
  onClose,
  onConfirmed,
}: {
  begun: NewAuthenticator;
  onClose: () => void;
  onConfirmed: (recoveryCodes: readonly string[]) => void;
}) {
  const words = useText(accountText);
  const t = words.authenticator;
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? words.missing : null }),
    submit: async ({ code }) => onConfirmed(await confirmAuthenticator(code.trim())),
  });
  useStayWhile(form.isBusy);
  return (
    <Dialog open isForced={form.isBusy} onClose={onClose} title={t.setUpTitle}>
      <p className="text-text-2">{t.scan}</p>
      <div className="flex flex-wrap items-center gap-5">
        {/* Black on white in either theme: that is what cameras read. */}
        <div data-theme="light" className="bg-surface p-3">
          <svg
            role="img"
            aria-label={t.qr}
            viewBox={`0 0 ${qr.size} ${qr.size}`}
            width={176}
            height={176}
            shapeRendering="crispEdges"
            className="fill-ink"
          >
            <path d={qr.path} />
          </svg>
        </div>
        <div className="grid min-w-0 flex-1 basis-48 gap-1">
          <p className="text-label font-semibold">{t.secret}</p>
          <p className="flex items-center gap-1">
            <code className="text-label break-all" translate="no" data-private="" data-1p-ignore="">
              {secret}
            </code>
            <CopyButton text={secret} />
          </p>
        </div>
      </div>
      <Form form={form} aria-label={t.setUpTitle}>
        <Field label={t.code} help={t.codeHelp} error={form.errors.code} className="max-w-60">
          <TextInput
            {...form.input('code')}
            mono
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
          />
        </Field>
        <div className="flex justify-end gap-2">
          <Button busy={form.isBusy} onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="primary" busy={form.isBusy}>
            {t.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
