import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { makeFirstAccount, setupLinkQuery } from '../../../api/setup.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { entryText } from '../../../i18n/entry-text.ts';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { isLinkSecret, useLinkSecret } from '../../../lib/link-secret.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { emailProblem, NewPasswordField, passwordProblem } from '../new-password-field.tsx';

/** Whoever has the printed link becomes the administrator, signed in at once. */
export function AccountStep({ onDone }: { onDone: () => Promise<void> }) {
  const t = useText(setupText).account;
  const words = useText(entryText);
  const { secret: fromLink, isIncomplete } = useLinkSecret();
  const isLinkGood = useQuery(setupLinkQuery(fromLink)).data;
  const [isRefused, setRefused] = useState(false);
  const isCodeAsked = fromLink === null || isLinkGood === false;
  const codeProblem = (code: string) => {
    if (code === '') return words.missing;
    return isLinkSecret(code) ? null : t.incompleteSecret;
  };
  const form = useForm({
    initial: { secret: '', email: '', password: '' },
    check: ({ secret, email, password }) => ({
      secret: isCodeAsked ? codeProblem(secret.trim()) : null,
      email: emailProblem(email, words),
      password: passwordProblem(password, words),
    }),
    submit: async ({ secret: typed, email, password }) => {
      const secret = isCodeAsked ? typed.trim() : fromLink;
      setRefused(false);
      try {
        await makeFirstAccount({ secret, email: email.trim(), password });
      } catch (thrown) {
        if (toApiError(thrown).code !== 'forbidden') throw thrown;
        setRefused(true);
        return;
      }
      await onDone();
    },
  });
  return (
    <Form form={form} className="gap-5">
      <p className="text-text-2">{t.lead}</p>
      {(isRefused || isLinkGood === false) && <Notice tone="bad">{t.badSecret}</Notice>}
      {isIncomplete && <Notice tone="warn">{words.incompleteLink}</Notice>}
      {isCodeAsked && (
        <Field label={t.secret} help={t.secretHelp} error={form.errors.secret}>
          <TextInput {...form.input('secret')} mono autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <Field label={words.email} error={form.errors.email}>
        <TextInput {...form.input('email')} type="email" autoComplete="username" />
      </Field>
      <NewPasswordField error={form.errors.password} input={form.input('password')} />
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.submit}
      </Button>
    </Form>
  );
}
