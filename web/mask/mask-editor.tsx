import { Dialog } from '@base-ui/react/dialog';
import { useCallback, useEffect, useRef, useState } from 'react';
import { maskText } from '../i18n/mask-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { FloatContainer } from '../ui/float-container.tsx';
import { exportMask } from './export-mask.ts';
import type { GestureTool } from './gestures.ts';
import { paintedBitmap } from './mask-bitmaps.ts';
import { MaskCanvas, type MaskCanvasHandle } from './mask-canvas.tsx';
import type { HoldPage, MaskDocument } from './mask-document.ts';
import { maskLimits } from './mask-limits.ts';
import { MaskPanel } from './mask-panel.tsx';
import type { WorkPicture } from './mask-surface.ts';
import { MaskTools } from './mask-tools.tsx';
import type { Bitmaps } from './paint-mask.ts';
import { useMaskKeys } from './use-mask-keys.ts';
import { useMaskLog } from './use-mask-log.ts';

export interface MaskEditorProps {
  picture: WorkPicture;
  mask: MaskDocument | null;
  /** Those that the saved mask's shapes need. */
  savedBitmaps: Bitmaps;
  hasShortcuts: boolean;
  holdPage: HoldPage;
  onDone: (saved: MaskDocument | null) => void;
}

const opacityDefault = 0.5;

/** Fills the page: there is never too much room to paint in. */
export function MaskEditor({
  picture,
  mask,
  savedBitmaps,
  hasShortcuts,
  holdPage,
  onDone,
}: MaskEditorProps) {
  const t = useText(maskText);
  const log = useMaskLog(mask);
  const canvas = useRef<MaskCanvasHandle>(null);
  const [popup, setPopup] = useState<HTMLElement | null>(null);
  const [bitmaps, setBitmaps] = useState(savedBitmaps);
  const [tool, setTool] = useState<GestureTool>('brush');
  const [size, setSize] = useState<number>(maskLimits.sizeDefault);
  const [look, setLook] = useState({ opacity: opacityDefault, isHidden: false });
  const [keepOutside, setKeepOutside] = useState(mask?.keepOutside ?? null);
  const [coverage, setCoverage] = useState(0);
  const [scale, setScale] = useState(1);
  const [saving, setSaving] = useState<'no' | 'busy' | 'empty' | 'failed'>('no');
  const [isLeaving, setLeaving] = useState(false);
  const isSeamChanged = keepOutside?.feather !== mask?.keepOutside?.feather;
  const isChanged = log.isChanged || isSeamChanged;
  const isEmpty = coverage === 0 || saving === 'empty';

  const showCoverage = useCallback((share: number) => {
    setCoverage(share);
    setSaving((before) => (before === 'busy' ? before : 'no'));
  }, []);
  const leave = () => {
    if (canvas.current?.dropCorner()) return;
    if (isChanged) setLeaving(true);
    else onDone(null);
  };
  useHeldPage(holdPage, { isChanged, onBack: leave });
  const save = async () => {
    setSaving('busy');
    try {
      const { content } = log;
      const exported = await exportMask(content, { picture, bitmaps });
      // A touch so light that no whole pixel has it.
      if (exported.coverage === 0) return setSaving('empty');
      const { width, height } = picture;
      const outside = keepOutside ? { keepOutside } : {};
      return onDone({ width, height, ...content, ...exported, ...outside });
    } catch {
      return setSaving('failed');
    }
  };
  const addBitmap = async (png: Blob) => {
    const bitmap = await paintedBitmap(png);
    setBitmaps((before) => new Map(before).set(png, bitmap));
    log.replaceBy({ kind: 'bitmap', png });
  };
  const keys = useMaskKeys({
    isOn: hasShortcuts,
    log,
    canvas,
    onTool: setTool,
    onSize: (change) => setSize((before) => limitedSize(change(before))),
    onHide: (isHidden) => setLook((before) => ({ ...before, isHidden })),
    onSave: () => (isEmpty ? undefined : void save()),
  });

  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : leave())}
      disablePointerDismissal
    >
      <Dialog.Portal>
        <Dialog.Popup
          ref={setPopup}
          {...keys}
          className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)_288px] grid-rows-[auto_minmax(0,1fr)] bg-bg text-text outline-none max-md:grid-cols-[minmax(0,1fr)] max-md:grid-rows-[auto_minmax(0,1fr)_auto]"
        >
          <FloatContainer element={popup}>
            <header className="col-span-full flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-bg px-4 py-2">
              <Dialog.Title className="text-title max-sm:text-body">{t.title}</Dialog.Title>
              <p className="tabular text-label text-text-2" data-testid="mask-coverage">
                {t.coverage(coverage)}
              </p>
              <div className="ml-auto flex gap-2">
                <Button onClick={leave}>{t.cancel}</Button>
                <Button
                  look="primary"
                  busy={saving === 'busy'}
                  disabledReason={isEmpty ? t.covered.none : null}
                  onClick={() => void save()}
                >
                  {t.save}
                </Button>
              </div>
            </header>
            <MaskCanvas
              ref={canvas}
              picture={picture}
              content={log.content}
              bitmaps={bitmaps}
              tool={tool}
              size={size}
              look={look}
              onCoverage={showCoverage}
              onAdd={log.add}
              onZoom={setScale}
            />
            <aside className="grid min-h-0 content-start gap-4 overflow-y-auto overscroll-contain border-l border-line bg-surface p-4 max-md:max-h-[44dvh] max-md:border-t max-md:border-l-0">
              <MaskTools
                tool={tool}
                onTool={setTool}
                size={size}
                onSize={(wanted) => setSize(limitedSize(wanted))}
                log={log}
                scale={scale}
                canvas={canvas}
                look={look}
                onLook={setLook}
              />
              <MaskPanel
                picture={picture}
                content={log.content}
                coverage={coverage}
                hasFailed={saving === 'failed'}
                keepOutside={keepOutside}
                onKeepOutside={setKeepOutside}
                onAdd={log.add}
                onUpload={addBitmap}
              />
            </aside>
            <ConfirmDialog
              open={isLeaving}
              onClose={() => setLeaving(false)}
              title={t.discard.title}
              confirm={t.discard.confirm}
              isDanger
              onConfirm={() => onDone(null)}
            >
              <p>{t.discard.text}</p>
            </ConfirmDialog>
          </FloatContainer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** As long as the editor is there; whoever goes back means the editor, not the page below. */
function useHeldPage(holdPage: HoldPage, now: { isChanged: boolean; onBack: () => void }): void {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  useEffect(
    () =>
      holdPage({
        isChanged: () => latest.current.isChanged,
        onBack: () => latest.current.onBack(),
      }),
    [holdPage],
  );
}

function limitedSize(size: number): number {
  return Math.min(maskLimits.sizeMax, Math.max(maskLimits.sizeMin, Math.round(size)));
}
