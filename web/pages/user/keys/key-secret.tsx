import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { IssuedKeyView } from '../../../../shared/console/keys.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { modelListQuery } from '../../../api/models.ts';
import { fill } from '../../../i18n/fill.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { apiBaseUrl } from '../../../lib/base-url.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { codeOf } from '../../../snippets/code-parts.ts';
import { snippetOf } from '../../../snippets/snippet-of.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { icon } from '../../../ui/icon.ts';

const variable = 'IMAGE_API_KEY';

/** The secret of a key that was just made; it lives in this dialog and goes with it. */
export function KeySecret({
  issued: { key, secret },
  title,
  onDone,
}: {
  issued: IssuedKeyView;
  title: string;
  onDone: () => void;
}) {
  const t = useText(keysText);
  const { installation } = useBootstrap();
  const baseUrl = apiBaseUrl(installation);
  const curl = useCurl(baseUrl, key.models);
  const download = () => {
    const lines = `${variable}=${secret}\nIMAGE_API_BASE_URL=${baseUrl}\n`;
    saveFile(new Blob([lines], { type: 'text/plain' }), 'image-api.env');
  };
  return (
    <SecretOnce
      title={title}
      text={t.secretText}
      label={t.secret}
      secret={secret}
      words={t}
      onDone={onDone}
      actions={
        <Button size="small" icon={<Download {...icon} />} onClick={download}>
          {t.download}
        </Button>
      }
    >
      {curl !== null && (
        <div className="grid min-w-0 gap-1.5">
          <p className="text-label text-text-2">
            {fill(t.tryText, { variable: <code>{variable}</code> })}
          </p>
          <CodeBlock label={t.tryIt} code={curl} />
        </div>
      )}
    </SecretOnce>
  );
}

/** For the first model that the key may use; null when there is none. */
function useCurl(baseUrl: string, allowed: readonly string[] | null): string | null {
  const { data = [] } = useQuery(modelListQuery);
  const model = data.find(
    ({ id, is_available: isAvailable }) => isAvailable && (allowed?.includes(id) ?? true),
  );
  if (!model) return null;
  const order = {
    operation: 'generation',
    fields: { model: model.id, prompt: 'A paper boat at dawn', quality: 'low' },
    partialImages: 0,
    references: [],
    mask: null,
  } as const;
  return codeOf(snippetOf({ order, target: 'curl', baseUrl, isStream: false }));
}
