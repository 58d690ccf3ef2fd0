import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchModelList } from '../../../api/admin-upstreams.ts';
import {
  saveUpstream,
  setupCatalogKey,
  setupCatalogQuery,
  type UpstreamWish,
} from '../../../api/setup.ts';
import { entryText } from '../../../i18n/entry-text.ts';
import { setupText } from '../../../i18n/setup-text.ts';
import { shellText } from '../../../i18n/shell-text.ts';
import { useText } from '../../../i18n/text.ts';
import { classes } from '../../../ui/classes.ts';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';
import { useKeptForm } from './use-kept-form.ts';

type Kind = UpstreamWish['kind'];

const beginning: { kind: Kind; base_url: string; credential: string } = {
  kind: 'sandbox',
  base_url: 'https://api.openai.com/v1',
  credential: '',
};

export function UpstreamStep(step: StepProps) {
  const t = useText(setupText).upstream;
  const words = useText(entryText);
  const places = useText(shellText).nav;
  const queryClient = useQueryClient();
  const known = useQuery(setupCatalogQuery(step.upstream)).data?.upstream;
  const form = useKeptForm({
    name: 'upstream',
    secrets: ['credential'],
    initial: beginning,
    check: ({ kind, base_url, credential }) =>
      kind === 'sandbox'
        ? {}
        : {
            base_url: URL.canParse(base_url.trim()) ? null : t.badUrl,
            credential: credential === '' ? words.missing : null,
          },
    submit: async (values) => {
      const id = await saveUpstream(wishOf(values), step.upstream);
      // A list that does not come leaves an upstream behind, which the next try mends.
      step.onUpstream(id);
      await fetchModelList(id);
      await queryClient.invalidateQueries({ queryKey: setupCatalogKey });
      await step.onDone();
    },
  });
  const isReal = form.values.kind === 'openai-images';
  return (
    <StepForm form={form} lead={t.lead} submit={t.submit} later={places.upstreams} step={step}>
      {known && known.model_list.length > 0 && (
        <Notice tone="ok">{t.connected(known.name, known.model_list.length)}</Notice>
      )}
      <div role="radiogroup" aria-label={t.kind} className="grid gap-2">
        <KindChoice {...choiceOf('sandbox')} title={t.sandbox} text={t.sandboxText} />
        <KindChoice {...choiceOf('openai-images')} title={t.real} text={t.realText} />
      </div>
      {isReal && (
        <>
          <Field label={t.baseUrl} help={t.baseUrlHelp} error={form.errors.base_url}>
            <TextInput {...form.input('base_url')} type="url" mono spellCheck={false} />
          </Field>
          <Field label={t.credential} help={t.credentialHelp} error={form.errors.credential}>
            <PasswordInput {...form.input('credential')} autoComplete="off" />
          </Field>
        </>
      )}
    </StepForm>
  );

  function choiceOf(kind: Kind) {
    return { isChosen: form.values.kind === kind, onChoose: () => form.set('kind', kind) };
  }
}

function KindChoice({
  title,
  text,
  isChosen,
  onChoose,
}: {
  title: string;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label
      className={classes(
        'fade flex cursor-pointer items-start gap-3 rounded-control border px-4 py-3',
        isChosen ? 'border-ink' : 'border-line hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name="kind"
        className="check mt-[3px]"
        checked={isChosen}
        onChange={onChoose}
      />
      <span>
        <span className="font-semibold">{title}</span>
        <span className="block text-label text-text-2">{text}</span>
      </span>
    </label>
  );
}

/** A real one is called by its host, which can be changed later. */
function wishOf({
  kind,
  base_url,
  credential,
}: {
  kind: Kind;
  base_url: string;
  credential: string;
}): UpstreamWish {
  if (kind === 'sandbox') {
    return { name: 'sandbox', kind, base_url: null, credential: null, settings: {} };
  }
  const url = new URL(base_url.trim());
  const dialect = url.hostname === 'api.openai.com' ? 'openai' : 'generic';
  return {
    name: url.hostname,
    kind,
    base_url: url.href.replace(/\/$/, ''),
    credential,
    settings: { dialect },
  };
}
