import type { MadeToken } from '../../../api/account.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { apiUrl } from '../../../api/call-api.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { fill } from '../../../i18n/fill.tsx';
import { useText } from '../../../i18n/text.ts';
import { publicUrl } from '../../../lib/base-url.ts';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';

/** Not one of the service's own, which refuses to start beside a `TINTYPE_` name that it does not know. */
const variable = 'CONSOLE_ACCESS_TOKEN';

/** The secret of a token that was just made; it lives in this dialog and goes with it. */
export function TokenSecret({ made, onDone }: { made: MadeToken; onDone: () => void }) {
  const t = useText(accountText).tokens;
  const { installation } = useBootstrap();
  return (
    <SecretOnce
      title={t.secretTitle}
      text={t.secretText}
      label={t.secret}
      secret={made.secret}
      words={t}
      onDone={onDone}
    >
      <div className="grid min-w-0 gap-1.5">
        <p className="text-label text-text-2">
          {fill(t.tryText, { variable: <code>{variable}</code> })}
        </p>
        <CodeBlock
          label={t.tryIt}
          code={`curl ${publicUrl(installation)}${apiUrl('/bootstrap')} -H "Authorization: Bearer $${variable}"`}
        />
      </div>
    </SecretOnce>
  );
}
