import { useQuery } from '@tanstack/react-query';
import type { PlaygroundModel } from '../../../../shared/console/models.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { modelListQuery } from '../../../api/models.ts';
import { fill } from '../../../i18n/fill.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { quickstartText } from '../../../i18n/quickstart-text.ts';
import { useText } from '../../../i18n/text.ts';
import { apiBaseUrl } from '../../../lib/base-url.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Link, linkClass } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ErrorTable } from './error-table.tsx';
import { PriceTable } from './price-table.tsx';
import { quickstartSearch } from './quickstart-state.ts';
import { SnippetPicker } from './snippet-picker.tsx';

/** From nothing to the first picture of one's own code. */
export function QuickstartPage() {
  const t = useText(quickstartText);
  const { installation } = useBootstrap();
  const baseUrl = apiBaseUrl(installation);
  return (
    <Page title={t.title} width="reading">
      <p className="text-text-2">{t.lead}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-surface px-4 py-3">
        <span className="text-label text-text-2">{t.baseUrl}</span>
        <code className="min-w-0 flex-1 break-all" translate="no">
          {baseUrl}
        </code>
        <CopyButton text={baseUrl} label={t.copyBaseUrl} />
      </div>
      <KeyStep />
      <CallStep baseUrl={baseUrl} />
    </Page>
  );
}

const variable = 'IMAGE_API_KEY';

function KeyStep() {
  const t = useText(quickstartText);
  const { title: keys } = useText(keysText);
  const [{ lang }] = useSearchState(quickstartSearch);
  const code =
    lang === 'powershell'
      ? `$env:${variable} = '${t.keyPlaceholder}'`
      : `export ${variable}='${t.keyPlaceholder}'`;
  return (
    <section className="grid gap-2">
      <h2 className="text-body">{t.keyTitle}</h2>
      <p>
        {fill(t.keyText, {
          keys: <Link to={paths.keys()}>{keys}</Link>,
          variable: <code translate="no">{variable}</code>,
        })}
      </p>
      <CodeBlock label={t.keyCode} code={code} />
    </section>
  );
}

function CallStep({ baseUrl }: { baseUrl: string }) {
  const t = useText(quickstartText);
  const models = useQuery(modelListQuery);
  if (models.error && !models.data) {
    const retry = () => void models.refetch();
    return <ErrorState error={models.error} title={t.modelsFailed} onRetry={retry} />;
  }
  if (!models.data) return <Skeleton className="h-80 rounded-control" />;
  return (
    <>
      <section className="grid min-w-0 gap-3">
        <h2 className="text-body">{t.callTitle}</h2>
        <Snippets models={models.data} baseUrl={baseUrl} />
      </section>
      <PriceTable models={models.data} />
      <ErrorTable />
      <p>
        <a href="/openapi.json" className={linkClass}>
          {t.openApi}
        </a>
      </p>
    </>
  );
}

function Snippets({ models, baseUrl }: { models: readonly PlaygroundModel[]; baseUrl: string }) {
  const t = useText(quickstartText);
  const usable = models.filter(({ is_available: isAvailable }) => isAvailable);
  if (usable.length === 0) return <Notice tone="warn">{t.noModels}</Notice>;
  return <SnippetPicker models={usable} baseUrl={baseUrl} />;
}
