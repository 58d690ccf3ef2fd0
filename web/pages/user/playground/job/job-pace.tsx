import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { elapsedMs, type Job } from '../../../../jobs/job.ts';
import { usePlayground } from '../playground-context.tsx';

/** How long such requests took before; nothing where too little is known. */
export function JobPace({ job, nowMs }: { job: Job; nowMs: number }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  const { models } = usePlayground();
  const { model: modelId, quality = 'auto' } = job.order.fields;
  const model = models?.find(({ id }) => id === modelId);
  const pace = model?.paces.find((each) => each.quality === quality);
  if (!pace) return null;
  const isSlow = elapsedMs(job, nowMs) > pace.p90_ms;
  return (
    <span className="text-label text-text-2">
      {isSlow ? t.slow : t.usually(formats.duration(pace.p50_ms), formats.duration(pace.p90_ms))}
    </span>
  );
}
