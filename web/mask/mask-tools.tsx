import {
  Brush,
  BrushCleaning,
  Contrast,
  Eraser,
  Eye,
  Hand,
  Maximize,
  Redo2,
  Square,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { RefObject } from 'react';
import { maskText } from '../i18n/mask-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { icon } from '../ui/icon.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Slider } from '../ui/slider.tsx';
import type { GestureTool } from './gestures.ts';
import type { MaskCanvasHandle } from './mask-canvas.tsx';
import { maskLimits } from './mask-limits.ts';
import type { MaskLook } from './mask-surface.ts';
import type { MaskHistory } from './use-mask-log.ts';

export interface MaskToolsProps {
  tool: GestureTool;
  onTool: (tool: GestureTool) => void;
  size: number;
  onSize: (size: number) => void;
  log: MaskHistory;
  /** Of the picture on the page. */
  scale: number;
  canvas: RefObject<MaskCanvasHandle | null>;
  look: MaskLook;
  onLook: (look: MaskLook) => void;
}

const tools = [
  { value: 'brush', Picture: Brush },
  { value: 'eraser', Picture: Eraser },
  { value: 'rectangle', Picture: Square },
  { value: 'pan', Picture: Hand },
] as const;

const zoomFactor = 1.5;

/** What is always at hand while painting. */
export function MaskTools({
  tool,
  onTool,
  size,
  onSize,
  log,
  scale,
  canvas,
  look,
  onLook,
}: MaskToolsProps) {
  const t = useText(maskText);
  const percent = t.percent(scale);
  return (
    <>
      <div className="grid gap-2">
        <Segmented
          label={t.tools.label}
          isWide
          value={tool}
          onChange={onTool}
          choices={tools.map(({ value, Picture }) => ({
            value,
            label: (
              <span className="grid justify-items-center gap-0.5 py-1">
                <Picture {...icon} />
                <span className="text-caption whitespace-nowrap">{t.tools[value]}</span>
              </span>
            ),
          }))}
        />
        {tool === 'rectangle' ? (
          <p className="text-label text-text-2">{t.rectangleHelp}</p>
        ) : (
          <Field label={t.size} note={<span className="tabular">{size} px</span>}>
            <Slider
              value={size}
              min={maskLimits.sizeMin}
              max={maskLimits.sizeMax}
              onChange={onSize}
            />
          </Field>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton
          label={t.undo}
          icon={<Undo2 {...icon} />}
          aria-disabled={!log.canUndo}
          onClick={log.undo}
        />
        <IconButton
          label={t.redo}
          icon={<Redo2 {...icon} />}
          aria-disabled={!log.canRedo}
          onClick={log.redo}
        />
        <Button look="quiet" icon={<Contrast {...icon} />} onClick={log.invert}>
          {t.invert}
        </Button>
        <Button look="quiet" icon={<BrushCleaning {...icon} />} onClick={log.clear}>
          {t.clear}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton
          label={t.zoomOut}
          icon={<ZoomOut {...icon} />}
          onClick={() => canvas.current?.zoomBy(1 / zoomFactor)}
        />
        <button
          type="button"
          onClick={() => canvas.current?.full()}
          aria-label={`${t.zoom(percent)}. ${t.full}`}
          className="fade tabular pointer-coarse:min-h-11 min-h-8 min-w-14 rounded-control px-1 text-label text-text-2 hover:bg-hover hover:text-text"
        >
          {percent}
        </button>
        <IconButton
          label={t.zoomIn}
          icon={<ZoomIn {...icon} />}
          onClick={() => canvas.current?.zoomBy(zoomFactor)}
        />
        <IconButton
          label={t.fit}
          icon={<Maximize {...icon} />}
          onClick={() => canvas.current?.fit()}
        />
        <IconButton
          label={t.original}
          icon={<Eye {...icon} />}
          aria-pressed={look.isHidden}
          className="ml-auto aria-pressed:bg-pressed aria-pressed:text-text"
          onClick={() => onLook({ ...look, isHidden: !look.isHidden })}
        />
      </div>
      <Field label={t.overlay} note={<span className="tabular">{t.percent(look.opacity)}</span>}>
        <Slider
          value={look.opacity * 100}
          min={10}
          max={100}
          step={5}
          onChange={(wanted) => onLook({ ...look, opacity: wanted / 100 })}
        />
      </Field>
    </>
  );
}
