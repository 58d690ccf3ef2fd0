import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { beginningOf } from '../../../../shared/beginning.ts';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { bootstrapQuery } from '../../../api/bootstrap.ts';
import { type FinishedImage, StreamCut } from '../../../api/image-stream.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { jobService } from '../../../jobs/job-service.ts';
import { useObjectUrl } from '../../../lib/object-url.ts';
import { randomId } from '../../../lib/random-id.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { TraceLink } from '../../../parts/trace-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Textarea } from '../../../ui/textarea.tsx';

const previews = 2;

/** One request to see everything at work: its previews, its picture, and what it cost. */
export function FirstPicture({ model }: { model: string | null }) {
  const t = useText(setupText).picture;
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<ApiError | 'cut' | null>(null);
  const form = useForm({
    initial: { prompt: t.samplePrompt },
    check: ({ prompt }) => ({ prompt: prompt.trim() === '' ? t.noPrompt : null }),
    submit: async ({ prompt }) => {
      // Without a model the button sends nothing.
      if (model === null) return;
      setProblem(null);
      setShown(null);
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
        <Field label={t.prompt} error={form.errors.prompt}>
          <Textarea {...form.input('prompt')} lines={[2, 6]} />
        </Field>
        <Button
          type="submit"
          look="primary"
          size="large"
          busy={form.isBusy}
          disabledReason={model === null ? t.noModel : null}
        >
          {form.isBusy ? t.running : t.generate}
        </Button>
      </Form>
      {model === null && <Notice tone="warn">{t.noModel}</Notice>}
      {problem === 'cut' && <Notice tone="bad">{t.cut}</Notice>}
      {problem !== null && problem !== 'cut' && <ErrorNote error={problem} title={t.failed} />}
      {shown && <Picture shown={shown} />}
    </div>
  );
}

interface Shown {
  image: Blob;
  prompt: string;
  /** The number of a preview; null for the finished picture. */
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
      isRepeat: false,
      signal: new AbortController().signal,
      onOpened: () => {},
      onPartial: (image) => {
        count += 1;
        onShow({ image, prompt, preview: count, finished: null });
      },
    },
  );
  onShow({ image: finished.image, prompt, preview: null, finished });
}

function Picture({ shown: { image, prompt, preview, finished } }: { shown: Shown }) {
  const t = useText(setupText).picture;
  const formats = useFormats();
  const url = useObjectUrl(image);
  const receipt = finished?.receipt;
  return (
    <figure className="grid gap-2">
      <div className="grid place-items-center bg-mat p-6 max-sm:p-3">
        {url !== null && (
          <img
            src={url}
            alt={t.alt(beginningOf(prompt, 100))}
            className="max-h-[50vh] max-w-full"
          />
        )}
      </div>
      <figcaption>
        <div
          role="status"
          className="tabular flex flex-wrap items-center gap-x-4 gap-y-1 text-label text-text-2"
        >
          {preview !== null && t.preview(preview)}
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
        </div>
      </figcaption>
    </figure>
  );
}
