import { Download, HardDrive } from 'lucide-react';
import { useState } from 'react';
import type { GalleryFacts } from '../../../gallery/gallery.ts';
import { GalleryStorage } from '../../../gallery/room/gallery-storage.tsx';
import { useFormats } from '../../../i18n/formats.tsx';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';

export interface GalleryHeadProps {
  facts: GalleryFacts;
  isKept: boolean;
  /** How many match the filters; null when there are none. */
  matching: number | null;
  onExport: () => void;
}

/** How much there is, where it is, and what can be done with all of it. */
export function GalleryHead({ facts, isKept, matching, onExport }: GalleryHeadProps) {
  const t = useText(galleryText);
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="tabular min-w-0 flex-1 basis-64">
        {facts.runs > 0 && (
          <>
            <span className="font-semibold">
              {t.imagesAndBytes(facts.runs, formats.bytes(facts.bytes))}
            </span>{' '}
          </>
        )}
        <span className="text-text-2" role="status">
          {matching === null ? (isKept ? t.onlyHere : t.onlyThisVisit) : t.matching(matching)}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {facts.runs > 0 && (
          <Button icon={<Download {...icon} />} onClick={onExport}>
            {t.exportShort}
          </Button>
        )}
        <Button icon={<HardDrive {...icon} />} onClick={() => setOpen(true)}>
          {t.storage}
        </Button>
      </div>
      <SidePanel open={isOpen} onClose={() => setOpen(false)} title={t.storageTitle}>
        <GalleryStorage />
      </SidePanel>
    </div>
  );
}
