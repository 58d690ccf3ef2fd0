import { Download } from 'lucide-react';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { icon } from '../../ui/icon.ts';

/** Before everything is deleted. */
export function ExportFirst({ onExport }: { onExport: () => Promise<void> }) {
  const t = useText(galleryText);
  return (
    <div>
      <Button icon={<Download {...icon} />} onClick={() => void onExport()}>
        {t.clearAll.exportFirst}
      </Button>
    </div>
  );
}
