import type { ReactNode } from 'react';
import { Page } from '../parts/page.tsx';
import { KitActions } from './kit-actions.tsx';
import { KitCharts } from './kit-charts.tsx';
import { KitData } from './kit-data.tsx';
import { KitFields } from './kit-fields.tsx';
import { KitStates } from './kit-states.tsx';

export function KitPage() {
  return (
    <Page title="Kit">
      <Section title="Actions">
        <KitActions />
      </Section>
      <Section title="Fields">
        <KitFields />
      </Section>
      <Section title="Data">
        <KitData />
      </Section>
      <Section title="Charts">
        <KitCharts />
      </Section>
      <Section title="States">
        <KitStates />
      </Section>
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-4 border-t border-line pt-4">
      <h2 className="text-title">{title}</h2>
      {children}
    </section>
  );
}
