import type { ReactNode } from 'react';
import { adminSettingsText } from '../../../i18n/admin-settings-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Section } from '../../../parts/section.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { inCode } from '../in-code.tsx';

/** What is stored, where, and what can be chosen. There is nothing to save: nothing of it is a setting. */
export function PrivacyFacts() {
  const t = useText(adminSettingsText).privacy;
  return (
    <div className="grid gap-7">
      <Notice tone="ok" title={t.promise}>
        {t.promiseText}
      </Notice>
      <Section title={t.stored}>
        <List items={t.storedItems} />
      </Section>
      <Section title={t.elsewhere}>
        <List items={t.elsewhereItems} />
      </Section>
      <Section title={t.options} text={t.optionsText}>
        <dl className="grid gap-3">
          {t.optionItems.map(({ name, effect }) => (
            <div key={name} className="grid gap-0.5">
              <dt>
                <code className="break-all" translate="no">
                  {name}
                </code>
              </dt>
              <dd className="max-w-[72ch] text-text-2">{inCode(effect)}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}

function List({ items }: { items: readonly { what: string; detail: ReactNode }[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2.5 sm:grid-cols-[minmax(120px,auto)_minmax(0,1fr)]">
      {items.map(({ what, detail }) => (
        <div key={what} className="grid gap-0.5 sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="font-semibold">{what}</dt>
          <dd className="max-w-[72ch] text-text-2">{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
