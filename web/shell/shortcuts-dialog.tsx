import { Suspense } from 'react';
import { useUser } from '../api/bootstrap.ts';
import { maskText } from '../i18n/mask-text.ts';
import { playgroundText } from '../i18n/playground-text.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { modifierKey } from '../lib/modifier-key.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { navigationFor } from './navigation.ts';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useText(shellText);
  const words = t.shortcuts;
  const { preferences, rights } = useUser();
  const places = navigationFor(rights)
    .flatMap(({ items }) => items)
    .flatMap(({ key, name }) => (key ? [{ keys: ['g', key], what: t.nav[name] }] : []));
  return (
    <Dialog open onClose={onClose} title={words.title}>
      {!preferences.shortcuts && <Notice>{words.off}</Notice>}
      <div className="grid grid-cols-2 gap-x-8 gap-y-5 max-sm:grid-cols-1">
        <div className="grid content-start gap-5">
          <Group
            title={words.everywhere}
            rows={[
              { keys: [`${modifierKey()} K`], what: words.palette },
              { keys: ['?'], what: words.help },
              { keys: ['/'], what: words.filter },
            ]}
          />
          <Group
            title={words.lists}
            rows={[
              { keys: ['j', 'k'], what: words.next, isChoice: true },
              { keys: ['Enter'], what: words.open },
              { keys: ['Esc'], what: words.close },
            ]}
          />
          <Suspense>
            <MaskKeys />
          </Suspense>
        </div>
        <div className="grid content-start gap-5">
          <Group title={words.go} rows={places} />
          <ImageKeys />
        </div>
      </div>
    </Dialog>
  );
}

/** What is done with the image on the mat, and in the prompt. */
function ImageKeys() {
  const { title, generate, actions, keys } = useText(playgroundText);
  return (
    <Group
      title={title}
      rows={[
        { keys: ['D'], what: actions.download },
        { keys: ['C'], what: actions.copy },
        { keys: ['E'], what: actions.reference },
        { keys: ['M'], what: actions.mask },
        { keys: ['R'], what: actions.again },
        { keys: ['V'], what: actions.vary },
        { keys: ['='], what: actions.compare },
        { keys: ['.'], what: actions.star },
        { keys: ['Del'], what: actions.delete },
        { keys: ['←', '→'], what: keys.step, isChoice: true },
        { keys: [`${modifierKey()} Enter`], what: generate },
        { keys: ['Alt ↑', 'Alt ↓'], what: keys.history, isChoice: true },
      ]}
    />
  );
}

/** In the mask editor, which fills the page and lists none. */
function MaskKeys() {
  const t = useText(maskText);
  return (
    <Group
      title={t.title}
      rows={[
        { keys: ['B'], what: t.tools.brush },
        { keys: ['E'], what: t.tools.eraser },
        { keys: ['R'], what: t.tools.rectangle },
        { keys: ['H', 'Space'], what: t.tools.pan, isChoice: true },
        { keys: ['[ ]', ', .'], what: t.size, isChoice: true },
        { keys: ['0'], what: t.fit },
        { keys: ['1'], what: t.full },
        { keys: ['\\', 'M'], what: t.original, isChoice: true },
        { keys: [`${modifierKey()} Z`], what: t.undo },
        { keys: [`${modifierKey()} Y`], what: t.redo },
        { keys: [`${modifierKey()} Enter`], what: t.save },
      ]}
    />
  );
}

interface Row {
  keys: readonly string[];
  what: string;
  /** Either of the keys, rather than one after the other. */
  isChoice?: boolean;
}

function Group({ title, rows }: { title: string; rows: readonly Row[] }) {
  const { afterwards } = useText(shellText).shortcuts;
  return (
    <section className="grid content-start gap-2">
      <h2 className="text-label text-text-2">{title}</h2>
      <dl className="grid gap-1.5">
        {rows.map(({ keys, what, isChoice = false }) => (
          <div key={what} className="flex items-center justify-between gap-4">
            <dt>{what}</dt>
            <dd className="flex items-center gap-1 text-caption text-text-3">
              {keys.map((key, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a key may come twice: `g g`
                <span key={index} className="flex items-center gap-1">
                  {index > 0 && (isChoice ? '/' : afterwards)}
                  <kbd className="whitespace-nowrap rounded-small border border-line bg-sunken px-1.5 py-0.5 text-text-2">
                    {key}
                  </kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
