import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedKeyView } from '../../../../shared/console/keys.ts';
import { setupStateQuery } from '../../../api/setup.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { keysText } from '../../../i18n/keys-text.ts';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { KeySecret } from '../../user/keys/key-secret.tsx';
import { UnseenKeyNotice } from '../../user/keys/unseen-key-notice.tsx';
import { useIssueKey } from '../../user/keys/use-issue-key.ts';

/** A key for code: its secret once, and afterwards only that there is one. */
export function FirstKey() {
  const t = useText(setupText).picture;
  const queryClient = useQueryClient();
  const { key: hasKey } = useSuspenseQuery(setupStateQuery).data;
  // Here and nowhere else: neither the cache of answers nor the address gets to know it.
  const { issue, isUnsure } = useIssueKey();
  const [issued, setIssued] = useState<IssuedKeyView | null>(null);
  const form = useForm({
    initial: { name: t.firstKey },
    submit: async ({ name }) => {
      // The dialog of the secret has words of its own.
      await keysText.preload();
      setIssued(await issue({ name }));
    },
  });
  useStayWhile(form.isBusy);
  const finish = () => {
    setIssued(null);
    void queryClient.invalidateQueries({ queryKey: setupStateQuery.queryKey });
  };
  // The one that is there may be that which nobody has seen: it is made again.
  if (hasKey && !issued && !isUnsure) {
    return (
      <Notice tone="ok" actions={<Link to={paths.keys()}>{t.openKeys}</Link>}>
        {t.keyThere}
      </Notice>
    );
  }
  return (
    <>
      <Form form={form} className="grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
        <Field label={t.keyName} error={form.errors.name}>
          <TextInput {...form.input('name')} autoComplete="off" />
        </Field>
        <Button type="submit" busy={form.isBusy} className="mt-5.5">
          {t.createKey}
        </Button>
      </Form>
      {isUnsure && !issued && <UnseenKeyNotice />}
      {issued && <KeySecret issued={issued} title={t.storeKey} onDone={finish} />}
    </>
  );
}
