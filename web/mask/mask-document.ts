/** What of a picture may be changed, as it was painted: in the picture's own pixels. */
export interface MaskDocument {
  /** Of the picture that it belongs to. */
  width: number;
  height: number;
  /** In the order in which they were made: later ones cover earlier ones. */
  shapes: readonly MaskShape[];
  /** Everything except what was painted. */
  isInverted: boolean;
  /** What is sent: as large as the picture; alpha 0 where it may change, 255 elsewhere. */
  png: Blob;
  /** The share of the picture that may change, above 0 and at most 1. */
  coverage: number;
  /**
   * Set when everything outside is to be put back from the picture once the answer is there; models
   * change more than they are asked to. How wide the seam is, in pixels.
   */
  keepOutside?: { feather: number };
}

export type MaskShape =
  | {
      kind: 'stroke';
      tool: MaskTool;
      /** Diameter. */
      size: number;
      /** x and y in turn. */
      points: readonly number[];
    }
  | { kind: 'rectangle'; tool: MaskTool; x: number; y: number; width: number; height: number }
  /** A mask that was brought along; of any size, stretched over the picture. */
  | { kind: 'bitmap'; png: Blob };

export type MaskTool = 'brush' | 'eraser';

/** Opens the editor over the page. Null when it was closed without saving. */
export type OpenMaskEditor = (wish: {
  reference: Blob;
  mask: MaskDocument | null;
  /** Whether single keys do something, by the user's preference; they do unless it says no. */
  hasShortcuts?: boolean;
  /** Keeps the page below where it is until the returned function is called. */
  holdPage: HoldPage;
}) => Promise<MaskDocument | null>;

export type HoldPage = (hold: {
  /** Somebody went back, as if to close the editor. */
  onBack: () => void;
  /** Whether something would be lost if the window were closed. */
  isChanged: () => boolean;
}) => () => void;
