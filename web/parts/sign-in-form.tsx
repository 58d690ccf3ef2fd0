import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useBootstrap } from '../api/bootstrap.ts';
import { confirmCode, isPasskeyOfferPossible, signIn, signInByPasskey } from '../api/sign-in.ts';
import { Form } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { entryText } from '../i18n/entry-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { icon } from '../ui/icon.ts';
import { Notice } from '../ui/notice.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { RecoveryCodesLeft } from './recovery-codes-left.tsx';

export interface SignInFormProps {
  /** Sets out for the issuer. */
  onIssuer: () => Promise<void>;
  /** What there is to know before that. */
  issuerHelp?: ((issuer: string) => string) | undefined;
  /** Who has to sign in, where it is known. */
  email?: string;
  /** Signed in by a recovery code, and told of it before `onSignedIn`. */
  onRecovered?: () => void;
  onSignedIn: () => void;
}

/**
 * Password and code, passkey, or the OpenID issuer: on the sign-in page and over a page whose
 * session ended.
 */
export function SignInForm(props: SignInFormProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [codesLeft, setCodesLeft] = useState<number | null>(null);
  if (codesLeft !== null) return <RecoveryCodesLeft left={codesLeft} onGoOn={props.onSignedIn} />;
  if (secret === null) return <FirstStep {...props} onSecondStep={setSecret} />;
  return (
    <SecondStep
      {...props}
      secret={secret}
      onRecovered={(left) => {
        setCodesLeft(left);
        props.onRecovered?.();
      }}
      onStartOver={() => setSecret(null)}
    />
  );
}

function FirstStep({
  email = '',
  onIssuer,
  issuerHelp,
  onSignedIn,
  onSecondStep,
}: SignInFormProps & { onSecondStep: (secret: string) => void }) {
  const t = useText(entryText);
  const form = useForm({
    initial: { email, password: '' },
    check: (values) => ({
      email: values.email.trim() === '' ? t.missing : null,
      password: values.password === '' ? t.missing : null,
    }),
    submit: async (values) => {
      const answer = await signIn(values.email.trim(), values.password);
      if (answer.kind === 'second_factor') onSecondStep(answer.secret);
      else onSignedIn();
    },
  });
  useOfferedPasskey(onSignedIn);
  return (
    <div className="grid gap-4">
      <Form form={form} aria-label={t.signIn.title}>
        <Field label={t.email} error={form.errors.email}>
          <TextInput
            {...form.input('email')}
            type="email"
            autoComplete="username webauthn"
            inputMode="email"
          />
        </Field>
        <Field label={t.password} error={form.errors.password}>
          <PasswordInput {...form.input('password')} autoComplete="current-password" />
        </Field>
        <Button type="submit" look="primary" size="large" busy={form.isBusy}>
          {t.signIn.submit}
        </Button>
      </Form>
      <OtherWays onIssuer={onIssuer} issuerHelp={issuerHelp} onSignedIn={onSignedIn} />
    </div>
  );
}

function SecondStep({
  secret,
  onSignedIn,
  onRecovered,
  onStartOver,
}: Omit<SignInFormProps, 'onRecovered'> & {
  secret: string;
  onRecovered: (codesLeft: number) => void;
  onStartOver: () => void;
}) {
  const t = useText(entryText);
  const input = useRef<HTMLInputElement>(null);
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? t.missing : null }),
    submit: async ({ code }) => {
      const { recovery_codes_left: left } = await confirmCode(secret, code.trim());
      if (left === undefined) onSignedIn();
      else onRecovered(left);
    },
  });
  useEffect(() => input.current?.focus(), []);
  return (
    <Form form={form} aria-label={t.signIn.codeTitle}>
      <Field label={t.signIn.code} help={t.signIn.codeHelp} error={form.errors.code}>
        <TextInput
          {...form.input('code')}
          ref={input}
          mono
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.signIn.confirm}
      </Button>
      <Button look="quiet" onClick={onStartOver}>
        {t.signIn.startOver}
      </Button>
    </Form>
  );
}

function OtherWays({ onIssuer, issuerHelp, onSignedIn }: Omit<SignInFormProps, 'email'>) {
  const t = useText(entryText).signIn;
  const { oidc } = useBootstrap().installation;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = (way: () => Promise<void>, failed: string) => {
    setProblem(null);
    setBusy(true);
    way()
      .catch(() => setProblem(failed))
      .finally(() => setBusy(false));
  };
  const byPasskey = async () => {
    await signInByPasskey();
    onSignedIn();
  };
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-3 text-label text-text-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.or}
      </p>
      <Button
        size="large"
        busy={isBusy}
        icon={<Fingerprint {...icon} />}
        onClick={() => run(byPasskey, t.passkeyFailed)}
      >
        {t.passkey}
      </Button>
      {oidc && issuerHelp && <p className="text-label text-text-2">{issuerHelp(oidc.name)}</p>}
      {oidc && (
        <Button size="large" busy={isBusy} onClick={() => run(onIssuer, t.problems.unavailable)}>
          {t.issuer(oidc.name)}
        </Button>
      )}
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
    </div>
  );
}

/** Passkeys in the list that browsers open under the e-mail field. */
function useOfferedPasskey(onSignedIn: () => void): void {
  const done = useRef(onSignedIn);
  useEffect(() => {
    done.current = onSignedIn;
  });
  useEffect(() => {
    let isHere = true;
    const offer = async () => {
      if (!(await isPasskeyOfferPossible()) || !isHere) return;
      await signInByPasskey(true);
      if (isHere) done.current();
    };
    // Nobody picked one, or another way was taken: nothing to say.
    offer().catch(() => {});
    return () => {
      isHere = false;
    };
  }, []);
}
