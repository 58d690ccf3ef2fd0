import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { bootstrapQuery, readBootstrap, useBootstrap, useUser } from '../api/bootstrap.ts';
import { type GateQuestion, openGate } from '../api/session-gate.ts';
import { tellSession } from '../api/session-news.ts';
import { goToIssuerBeside, proveByPasskey, proveByPassword } from '../api/sign-in.ts';
import { Form } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { entryText } from '../i18n/entry-text.ts';
import { fill } from '../i18n/fill.tsx';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { SignInForm } from '../parts/sign-in-form.tsx';
import { hrefOf, paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { icon } from '../ui/icon.ts';
import { Notice } from '../ui/notice.tsx';
import { PasswordInput } from '../ui/password-input.tsx';

/** Asks for what a waiting request needs. */
export function GateDialog({ question }: { question: GateQuestion }) {
  return question === 'sign_in' ? <SignInAgain /> : <Proof />;
}

function SignInAgain() {
  const { sessionEnded: t, issuerHelp } = useText(shellText);
  const { id, email } = useUser();
  const queryClient = useQueryClient();
  const [isOther, setOther] = useState(false);
  const goOn = async () => {
    // Asked without the page: what is on it belongs to whoever was signed in.
    const { user } = await readBootstrap();
    if (user?.id !== id) {
      setOther(true);
      return;
    }
    tellSession(id);
    openGate(true);
    await queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
  };
  return (
    <Dialog open isForced width="narrow" title={t.title} onClose={() => {}}>
      <p className="text-text-2">{t.text}</p>
      {isOther && (
        <Notice tone="bad">
          <p>{fill(t.otherUser, { email: <strong>{email}</strong> })}</p>
        </Notice>
      )}
      <SignInForm
        email={email}
        onIssuer={signInBeside}
        issuerHelp={issuerHelp}
        onSignedIn={() => void goOn()}
      />
      <Button
        look="quiet"
        onClick={() => {
          openGate(false);
          // A fresh start: nothing of the page is to stay.
          window.location.assign(hrefOf(paths.login()));
        }}
      >
        {t.leave}
      </Button>
    </Dialog>
  );
}

function Proof() {
  const { proof: t, issuerHelp } = useText(shellText);
  const words = useText(entryText);
  const { oidc } = useBootstrap().installation;
  const { email } = useUser();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? words.missing : null }),
    submit: async ({ password }) => {
      await proveByPassword(password);
      openGate(true);
    },
  });
  const byPasskey = async () => {
    await proveByPasskey();
    openGate(true);
  };
  const run = (way: () => Promise<void>, failed: string) => {
    setProblem(null);
    way().catch(() => setProblem(failed));
  };
  return (
    <Dialog open width="narrow" title={t.title} onClose={() => openGate(false)}>
      <p className="text-text-2">{t.text}</p>
      <Form form={form}>
        {/* So that a password manager knows whose password is asked for. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <Field label={words.password} error={form.errors.password}>
          <PasswordInput {...form.input('password')} autoComplete="current-password" />
        </Field>
        <Button type="submit" look="primary" busy={form.isBusy}>
          {words.signIn.confirm}
        </Button>
      </Form>
      <Button
        icon={<Fingerprint {...icon} />}
        onClick={() => run(byPasskey, words.signIn.passkeyFailed)}
      >
        {words.signIn.passkey}
      </Button>
      {oidc && (
        <>
          <p className="text-label text-text-2">{issuerHelp(oidc.name)}</p>
          <Button onClick={() => run(signInBeside, words.signIn.problems.unavailable)}>
            {words.signIn.issuer(oidc.name)}
          </Button>
        </>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </Dialog>
  );
}

function signInBeside(): Promise<void> {
  return goToIssuerBeside({ next: `${window.location.pathname}${window.location.search}` });
}
