import { useState } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Job, Preview } from '../../../../jobs/job.ts';
import { useObjectUrl } from '../../../../lib/object-url.ts';
import { Corners } from '../../../../viewer/corners.tsx';
import { type Extent, extentOf } from '../../../../viewer/extent.ts';
import { Sheet } from '../../../../viewer/mat.tsx';

/** The place of a picture that is being made, and its previews as they come. */
export function ProgressMat({ job }: { job: Job }) {
  const t = useText(playgroundText);
  const { preview, order } = job;
  const [natural, setNatural] = useState<Extent | null>(null);
  const layers = useLastTwo(preview);
  const { width, height } = natural ?? extentOf(order.fields.size ?? 'auto');
  return (
    <Sheet
      width={width}
      height={height}
      isTransparent={preview !== null && order.fields.background === 'transparent'}
    >
      {preview === null && <Corners />}
      {layers.map((layer) => (
        <PreviewLayer key={layer.number} preview={layer} onSize={setNatural} />
      ))}
      {preview && (
        <span className="absolute bottom-2 left-2 rounded-small bg-ink px-1.5 text-label text-on-ink">
          {t.previewOf(preview.number, order.partialImages)}
        </span>
      )}
    </Sheet>
  );
}

/** The one before lies below until the new one is there. */
function useLastTwo(preview: Preview | null): readonly Preview[] {
  const [layers, setLayers] = useState<readonly Preview[]>(preview ? [preview] : []);
  const [last] = layers.slice(-1);
  if (preview && preview !== last) setLayers([...layers.slice(-1), preview]);
  return layers;
}

function PreviewLayer({ preview, onSize }: { preview: Preview; onSize: (extent: Extent) => void }) {
  const t = useText(playgroundText);
  const url = useObjectUrl(preview.image);
  if (url === null) return null;
  return (
    <img
      src={url}
      alt={t.viewer.previewAlt(preview.number)}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        onSize({ width: naturalWidth, height: naturalHeight })
      }
      className="fade-in absolute inset-0 size-full"
      data-testid="preview"
    />
  );
}
