import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useBootstrap } from '../../../../api/bootstrap.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { filesOf, type ImageOrder } from '../../../../jobs/image-order.ts';
import { apiBaseUrl } from '../../../../lib/base-url.ts';
import { saveFile } from '../../../../lib/save-file.ts';
import { useOpenPart } from '../../../../parts/use-open-part.ts';
import { type CodePart, codeOf } from '../../../../snippets/code-parts.ts';
import { snippetOf, type Target, targets } from '../../../../snippets/snippet-of.ts';
import { Button } from '../../../../ui/button.tsx';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { icon } from '../../../../ui/icon.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import type { Finished } from '../../../../viewer/finished.ts';
import { usePlayground } from '../playground-context.tsx';
import { orderOfFinished } from './order-of-finished.ts';

/** The request of a picture as code for several languages. */
export function CodeDialog({ finished, onClose }: { finished: Finished; onClose: () => void }) {
  const t = useText(playgroundText).code;
  const order = useOrder(finished);
  const [target, setTarget] = useState<Target>('curl');
  const [isStream, setStream] = useState(false);
  const baseUrl = apiBaseUrl(useBootstrap().installation);
  const parts = order ? snippetOf({ order, target, baseUrl, isStream }) : [];
  return (
    <Dialog open onClose={onClose} title={t.title} width="wide">
      <p className="text-label text-text-2">{t.text}</p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label={t.target}
          value={target}
          choices={targets.map((value) => ({ value, label: t.targets[value] }))}
          onChange={setTarget}
        />
        <Switch label={t.stream} checked={isStream} onChange={setStream} />
      </div>
      <CodeBlock code={codeOf(parts)} label={t.label}>
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts are their places
          <Colored key={index} part={part} />
        ))}
      </CodeBlock>
      {order && order.references.length > 0 && <Files order={order} />}
    </Dialog>
  );
}

function Colored({ part: { kind, code } }: { part: CodePart }) {
  return kind === 'plain' ? code : <span className={colors[kind]}>{code}</span>;
}

const colors = { text: 'text-ok', word: 'text-accent', comment: 'text-text-3' } as const;

/** What the code reads from the folder that it is run in. */
function Files({ order }: { order: ImageOrder }) {
  const t = useText(playgroundText).code;
  const [isBusy, setBusy] = useState(false);
  const openPart = useOpenPart();
  const save = async () => {
    setBusy(true);
    try {
      const zip = await openPart(() => import('client-zip'));
      if (!zip) return;
      const files = filesOf(order).map(({ name, image }) => ({ name, input: image }));
      saveFile(await zip.downloadZip(files).blob(), 'request-files.zip');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon={<Download {...icon} />} busy={isBusy} onClick={() => void save()}>
        {t.files}
      </Button>
      <span className="text-label text-text-2">{t.filesText}</span>
    </div>
  );
}

function useOrder(finished: Finished): ImageOrder | null {
  const { gallery } = usePlayground();
  const [order, setOrder] = useState<ImageOrder | null>(finished.job?.order ?? null);
  useEffect(() => {
    let isHere = true;
    void orderOfFinished(finished, gallery).then((found) =>
      isHere ? setOrder(found.order) : null,
    );
    return () => {
      isHere = false;
    };
  }, [finished, gallery]);
  return order;
}
