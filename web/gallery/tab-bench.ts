/** A browser with the galleries of one user, one for each tab, which tell each other what changes. */
import type { Gallery } from './gallery.ts';
import { createUserGallery, type GalleryMessage } from './user-gallery.ts';

export interface KeptPlace {
  /** One and the same place, however often it is opened. */
  open: () => Gallery;
  clear: () => void;
}

export class TabBench {
  /** Whether pictures are kept beyond a visit. */
  isKept = true;
  readonly #place: KeptPlace;
  readonly #tabs: ((message: GalleryMessage) => void)[] = [];

  constructor(place: KeptPlace) {
    this.#place = place;
  }

  openTab() {
    let listener: (message: GalleryMessage) => void = () => {};
    const hear = (message: GalleryMessage) => listener(message);
    this.#tabs.push(hear);
    return createUserGallery({
      createKept: this.#place.open,
      deleteKept: async () => this.#place.clear(),
      wish: { isKept: () => this.isKept, setKept: (isKept) => (this.isKept = isKept) },
      others: {
        tell: (message) => {
          for (const tab of this.#tabs) if (tab !== hear) tab(message);
        },
        listen: (heard) => {
          listener = heard;
          return () => {};
        },
      },
    });
  }
}
