import { useRef } from 'react';

const fields = ['input', 'textarea', 'select', '[role=combobox]'].join();
const notTypedIn =
  '[type=hidden], [type=checkbox], [type=radio], [type=range], [type=file], [readonly], :disabled';

/**
 * Where the focus goes when something opens over the page: to what it is about, and not to the button that
 * closes it. That is the first field to fill in where it begins with one, and otherwise its title, which takes
 * this ref and `tabIndex={-1}`.
 */
export function useFirstFocus({ atField }: { atField: boolean }) {
  const titleRef = useRef<HTMLHeadingElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  /** @param openedBy a finger is not asked to type at once: the keyboard would cover what it opened */
  const firstFocus = (openedBy: string): HTMLElement | true => {
    const field = atField && openedBy !== 'touch' ? firstFieldIn(contentRef.current) : undefined;
    // What it holds already, such as a suggested name, is typed over, as in a field that is reached by Tab.
    if (field instanceof HTMLInputElement) field.select();
    return field ?? titleRef.current ?? true;
  };
  return { titleRef, contentRef, firstFocus };
}

function firstFieldIn(content: HTMLElement | null): HTMLElement | undefined {
  return [...(content?.querySelectorAll<HTMLElement>(fields) ?? [])].find(
    (field) => !field.matches(notTypedIn) && field.checkVisibility({ visibilityProperty: true }),
  );
}
