import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, Plus, ReceiptText, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../api/bootstrap.ts';
import { searchQuery } from '../api/palette-search.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { traceIdIn } from '../lib/trace-id-in.ts';
import { paths, type Target } from '../paths.ts';
import { icon } from '../ui/icon.ts';
import { menuItemClass } from '../ui/menu.tsx';
import { navigationFor } from './navigation.ts';

interface Entry {
  id: string;
  label: string;
  /** What else it is found by, and shown behind its label. */
  detail?: string;
  picture: typeof ArrowRight;
  to: Target;
}

interface EntryGroup {
  label: string;
  items: readonly Entry[];
}

/** Finds pages, actions, a trace ID and, for administrators, users and upstreams. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useText(shellText).palette;
  const { role } = useUser();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { groups, isSearching } = useGroups(text);
  const open = ({ to }: Entry) => {
    onClose();
    void navigate({ to: to.path, search: to.search ?? {} });
  };
  return (
    <Dialog.Root open onOpenChange={(stays) => (stays ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="appear fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup
          aria-label={t.title}
          className="appear fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[min(600px,calc(100vw-32px))] -translate-x-1/2 flex-col overflow-hidden rounded-control border border-line bg-surface text-text shadow-float"
        >
          <Autocomplete.Root
            inline
            open
            items={groups}
            value={text}
            onValueChange={setText}
            itemToStringValue={(entry: Entry) => entry.label}
            filter={null}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input
              aria-label={t.title}
              placeholder={role === 'admin' ? t.placeholderAdmin : t.placeholder}
              className="min-h-12 shrink-0 border-b border-line bg-transparent px-4 text-body outline-none"
            />
            <Autocomplete.Empty className="px-4 py-6 text-center text-text-2 empty:hidden">
              {groups.length === 0 && !isSearching ? t.nothing : null}
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto py-2 empty:hidden">
              {(group: EntryGroup) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className="px-4 pt-2 pb-1 text-caption text-text-3">
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: Entry) => (
                      <Autocomplete.Item
                        key={entry.id}
                        value={entry}
                        onClick={() => open(entry)}
                        className={`${menuItemClass} px-4`}
                      >
                        <entry.picture {...icon} className="shrink-0 text-text-3" />
                        <span className="truncate">{entry.label}</span>
                        {entry.detail && (
                          <span className="truncate text-label text-text-3">{entry.detail}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGroups(text: string): { groups: readonly EntryGroup[]; isSearching: boolean } {
  const t = useText(shellText);
  const { rights } = useUser();
  // Never the words of a moment ago: Enter opens what is highlighted, and has to mean what was typed.
  const words = text.trim();
  const { data, isFetching } = useQuery(searchQuery(words, rights));
  const places = navigationFor(rights)
    .flatMap(({ items }) => items)
    .map(({ name, to, picture }) => ({ id: name, label: t.nav[name], picture, to }));
  const actions: readonly Entry[] = [
    { id: 'generate', label: t.palette.generate, picture: Sparkles, to: paths.playground() },
    { id: 'create-key', label: t.palette.createKey, picture: Plus, to: paths.newKey() },
  ];
  const groups: readonly EntryGroup[] = [
    { label: t.traceIdIs, items: traceEntries(words, t.palette.openTrace) },
    { label: t.palette.pages, items: places.filter((entry) => isMatch(entry, words)) },
    { label: t.palette.actions, items: actions.filter((entry) => isMatch(entry, words)) },
    {
      label: t.palette.upstreams,
      items: (data?.upstreams ?? []).map(({ id, name }) => ({
        id,
        label: name,
        picture: ArrowRight,
        to: paths.upstream(id),
      })),
    },
    {
      label: t.palette.users,
      items: (data?.users ?? []).map(({ id, email, name }) => ({
        id,
        label: email,
        detail: name,
        picture: ArrowRight,
        to: paths.user(id),
      })),
    },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isSearching: isFetching };
}

/** A whole trace ID can be opened, known or not, also out of a line that was copied with it. */
function traceEntries(words: string, label: (traceId: string) => string): readonly Entry[] {
  const traceId = traceIdIn(words);
  if (traceId === null) return [];
  return [{ id: traceId, label: label(traceId), picture: ReceiptText, to: paths.trace(traceId) }];
}

function isMatch({ label, detail = '' }: Entry, words: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(words.toLowerCase());
}
