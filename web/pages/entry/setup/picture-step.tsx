import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { bootstrapQuery } from '../../../api/bootstrap.ts';
import { type FinishedImage, StreamCut } from '../../../api/image-stream.ts';
import { createFirstKey, setupCatalogQuery } from '../../../api/setup.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { jobService } from '../../../jobs/job-service.ts';
import { randomId } from '../../../lib/random-id.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { paths } from '../../../paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Field } from '../../../ui/field.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { Textarea } from '../../../ui/textarea.tsx';
import type { StepProps } from './setup-page.tsx';

const previews = 2;

/** A key for code, a picture for the eye, and where to go from here. */
export function PictureStep({ onBack }: StepProps) {
  const t = useText(setupText);
  const catalog = useQuery(setupCatalogQuery).data;
  const model = catalog?.models.find(({ is_available: isAvailable }) => isAvailable)?.id ?? null;
  return (
    <div className="grid gap-6">
      <p className="text-text-2">{t.picture.lead}</p>
      <FirstKey model={model} />
      <FirstPicture model={model} />
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        {onBack && <Button onClick={onBack}>{t.back}</Button>}
        <Link to={paths.playground()} look="plain" className={buttonClass('secondary')}>
          {t.picture.open}
        </Link>
        <Link to={paths.users()} look="plain" className={buttonClass('quiet')}>
          {t.picture.invite}
        </Link>
        {catalog?.upstream?.kind === 'sandbox' && (
          <Link to={paths.newUpstream()} look="plain" className={buttonClass('quiet')}>
            {t.picture.connect}
          </Link>
        )}
      </div>
    </div>
  );
}

function FirstKey({ model }: { model: string | null }) {
  const t = useText(setupText).picture;
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    initial: { name: t.firstKey },
    submit: async ({ name }) => setSecret((await createFirstKey(name)).secret),
  });
  if (secret !== null) return <ShownKey secret={secret} model={model} />;
  return (
    <Form form={form} className="grid-cols-[minmax(0,1fr)_auto] items-end gap-x-2">
      <Field label={t.keyName} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="off" />
      </Field>
      <Button type="submit" busy={form.isBusy}>
        {t.createKey}
      </Button>
    </Form>
  );
}

function ShownKey({ secret, model }: { secret: string; model: string | null }) {
  const t = useText(setupText).picture;
  const curl = `curl -s ${window.location.origin}/v1/images/generations \\
  -H "Authorization: Bearer ${secret}" -H 'Content-Type: application/json' \\
  -d '{"model":"${model ?? 'gen-image-2.5-flare'}","prompt":"a paper boat at dawn"}'`;
  return (
    <div className="grid gap-3" data-private>
      <Notice tone="warn">{t.keyOnce}</Notice>
      <CodeBlock label={t.createKey} code={secret} />
      <CodeBlock label="curl" code={curl} />
    </div>
  );
}

function FirstPicture({ model }: { model: string | null }) {
  const t = useText(setupText).picture;
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<ApiError | 'cut' | null>(null);
  const form = useForm({
    initial: { prompt: t.samplePrompt },
    submit: async ({ prompt }) => {
      if (model === null) return;
      setProblem(null);
      try {
        await draw({ model, prompt, onShow: setShown });
      } catch (thrown) {
        setShown(null);
        setProblem(thrown instanceof StreamCut ? 'cut' : toApiError(thrown));
      }
      await queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
    },
  });
  return (
    <div className="grid gap-4">
      <Form form={form}>
        <Field label={t.prompt}>
          <Textarea {...form.input('prompt')} lines={[2, 6]} />
        </Field>
        <Button type="submit" look="primary" size="large" busy={form.isBusy}>
          {form.isBusy ? t.running : t.generate}
        </Button>
      </Form>
      {problem === 'cut' && <Notice tone="bad">{t.cut}</Notice>}
      {problem !== null && problem !== 'cut' && <ErrorNote error={problem} title={t.failed} />}
      {shown && <Picture shown={shown} prompt={form.values.prompt} />}
    </div>
  );
}

interface Shown {
  image: Blob;
  /** Of a preview; null for the finished picture. */
  preview: number | null;
  finished: FinishedImage | null;
}

async function draw({
  model,
  prompt,
  onShow,
}: {
  model: string;
  prompt: string;
  onShow: (shown: Shown) => void;
}): Promise<void> {
  let count = 0;
  const finished = await jobService.send(
    {
      operation: 'generation',
      fields: { model, prompt, quality: 'low' },
      partialImages: previews,
      references: [],
      mask: null,
    },
    {
      key: randomId(),
      signal: new AbortController().signal,
      onOpened: () => {},
      onPartial: (image) => {
        count += 1;
        onShow({ image, preview: count, finished: null });
      },
    },
  );
  onShow({ image: finished.image, preview: null, finished });
}

function Picture({ shown, prompt }: { shown: Shown; prompt: string }) {
  const t = useText(setupText).picture;
  const formats = useFormats();
  const url = useObjectUrl(shown.image);
  const receipt = shown.finished?.receipt;
  return (
    <figure className="grid gap-2">
      <div className="grid place-items-center bg-mat p-6">
        <img src={url} alt={t.alt(prompt.slice(0, 100))} className="max-h-[50vh] max-w-full" />
      </div>
      <figcaption
        role="status"
        className="tabular flex flex-wrap gap-x-4 gap-y-1 text-label text-text-2"
      >
        {shown.preview !== null && t.preview(shown.preview)}
        {receipt && (
          <>
            <span>
              {t.charged(
                formats.price({ micros: receipt.cost_micros }),
                formats.spendable({ micros: receipt.balance_micros }),
              )}
            </span>
            <TraceLink traceId={receipt.trace_id} />
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** Revoked when the picture is replaced or gone. */
function useObjectUrl(blob: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
