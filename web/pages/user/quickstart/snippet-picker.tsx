import type { PlaygroundModel } from '../../../../shared/console/models.ts';
import { fill } from '../../../i18n/fill.tsx';
import { useFormats } from '../../../i18n/formats.tsx';
import { quickstartText } from '../../../i18n/quickstart-text.ts';
import { useText } from '../../../i18n/text.ts';
import type { ImageOrder } from '../../../jobs/image-order.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { type CodePart, codeOf } from '../../../snippets/code-parts.ts';
import { snippetOf } from '../../../snippets/snippet-of.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Field } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { languages, operations, quickstartSearch } from './quickstart-state.ts';

/** One call in the reader's language, for one of the models that they may use. */
export function SnippetPicker({
  models,
  baseUrl,
}: {
  models: readonly PlaygroundModel[];
  baseUrl: string;
}) {
  const t = useText(quickstartText);
  const formats = useFormats();
  const [{ lang, op, model: wanted }, change] = useSearchState(quickstartSearch);
  const model = models.find(({ id }) => id === wanted) ?? models[0];
  const order = useOrder(op, model?.id ?? '');
  const parts = snippetOf({ order, target: lang, baseUrl, isStream: op === 'stream' });
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t.operation}>
          <Segmented
            value={op}
            choices={operations.map((value) => ({ value, label: t.operations[value] }))}
            onChange={(chosen) => change({ op: chosen }, 'replace')}
          />
        </Field>
        <Field label={t.language}>
          <Segmented
            value={lang}
            choices={languages.map((value) => ({ value, label: t.languages[value] }))}
            onChange={(chosen) => change({ lang: chosen }, 'replace')}
          />
        </Field>
        <Field label={t.model} className="w-52">
          <Select
            value={model?.id ?? ''}
            choices={models.map(({ id, price }) => ({
              value: id,
              label: id,
              detail: price && formats.price(price),
            }))}
            onChange={(chosen) => change({ model: chosen }, 'replace')}
          />
        </Field>
      </div>
      <Needs />
      <CodeBlock label={t.code} code={codeOf(parts)}>
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts are their places
          <Colored key={index} part={part} />
        ))}
      </CodeBlock>
    </>
  );
}

/** What has to be there before the code can run. */
function Needs() {
  const t = useText(quickstartText);
  const [{ lang, op }] = useSearchState(quickstartSearch);
  const install = lang === 'python' ? 'pip install openai' : 'npm install openai';
  const needsPackage = lang === 'python' || lang === 'node';
  if (!needsPackage && op !== 'edit') return null;
  return (
    <div className="grid gap-1 text-label text-text-2">
      {needsPackage && (
        <p>
          {t.install} <code translate="no">{install}</code>
        </p>
      )}
      {op === 'edit' && (
        <p>{fill(t.editFile, { file: <code translate="no">reference-1.png</code> })}</p>
      )}
    </div>
  );
}

function Colored({ part: { kind, code } }: { part: CodePart }) {
  return kind === 'plain' ? code : <span className={colors[kind]}>{code}</span>;
}

const colors = { text: 'text-ok', word: 'text-accent', comment: 'text-text-3' } as const;

const previews = 2;

function useOrder(op: (typeof operations)[number], model: string): ImageOrder {
  const { prompts } = useText(quickstartText);
  const isEdit = op === 'edit';
  return {
    operation: isEdit ? 'edit' : 'generation',
    fields: { model, prompt: isEdit ? prompts.edit : prompts.generate, quality: 'low' },
    partialImages: op === 'stream' ? previews : 0,
    // Only its type and its place are written: the reader has the file.
    references: isEdit
      ? [{ name: 'reference.png', image: new Blob([], { type: 'image/png' }) }]
      : [],
    mask: null,
  };
}
