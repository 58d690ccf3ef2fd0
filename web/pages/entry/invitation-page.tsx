import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { useBootstrap } from '../../api/bootstrap.ts';
import { acceptInvitation, type InvitationOffer, invitationQuery } from '../../api/entry.ts';
import { goToIssuer } from '../../api/sign-in.ts';
import { Form } from '../../forms/form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { useFormats } from '../../i18n/formats.tsx';
import { useText } from '../../i18n/text.ts';
import { useLinkSecret } from '../../lib/link-secret.ts';
import { EntryPage } from '../../parts/entry-page.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AccountFields, accountProblems } from './account-fields.tsx';
import { useGoOn } from './login-page.tsx';

/** It is over, registration is closed, or it never was an invitation. */
const refusals: ReadonlySet<ApiError['code']> = new Set(['not_found', 'forbidden']);

export function InvitationPage() {
  const words = useText(entryText);
  const t = words.invitation;
  const { installation } = useBootstrap();
  const { secret, isIncomplete } = useLinkSecret();
  const offer = useQuery(invitationQuery(secret));
  // What the service says of the invitation itself is the same when it is asked again.
  const isOver = offer.isError && refusals.has(toApiError(offer.error).code);
  return (
    <EntryPage title={t.title} lead={t.text(installation.name)}>
      {secret === null && (
        <Notice tone="warn">{isIncomplete ? words.incompleteLink : t.missing}</Notice>
      )}
      {secret !== null && offer.isPending && <Skeleton className="h-60" />}
      {offer.isError && (
        <ErrorState
          error={offer.error}
          title={isOver ? t.invalid : t.unread}
          {...(isOver ? {} : { onRetry: () => void offer.refetch() })}
        />
      )}
      {secret !== null && offer.data && <Acceptance secret={secret} offer={offer.data} />}
    </EntryPage>
  );
}

function Acceptance({ secret, offer }: { secret: string; offer: InvitationOffer }) {
  const t = useText(entryText);
  const formats = useFormats();
  const { installation } = useBootstrap();
  const goOn = useGoOn();
  const form = useForm({
    initial: { email: offer.email ?? '', name: '', password: '' },
    check: (values) => accountProblems(values, t),
    submit: async ({ email, name, password }) => {
      // An invitation that names an address wants no other.
      const given = offer.email === null ? email.trim() : null;
      await acceptInvitation(secret, { email: given, name: name.trim(), password });
      goOn();
    },
  });
  const oidc = installation.oidc;
  const [problem, setProblem] = useState<string | null>(null);
  const byIssuer = () => {
    setProblem(null);
    goToIssuer({ invitation: secret }).catch(() => setProblem(t.signIn.problems.unavailable));
  };
  return (
    <Form form={form}>
      {offer.role === 'admin' && <Notice>{t.invitation.asAdmin}</Notice>}
      {offer.top_up.micros > 0 && (
        <Notice tone="ok">{t.invitation.gift(formats.total(offer.top_up))}</Notice>
      )}
      <AccountFields form={form} isEmailFixed={offer.email !== null} />
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.invitation.submit}
      </Button>
      {oidc && (
        <Button size="large" onClick={byIssuer}>
          {t.signIn.issuer(oidc.name)}
        </Button>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </Form>
  );
}
