import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { settingsQuery } from '../../../api/admin-settings.ts';
import { adminSettingsText } from '../../../i18n/admin-settings-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { TabLinks } from '../../../parts/tab-links.tsx';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { PrivacyFacts } from './privacy-facts.tsx';
import { ProxyTest } from './proxy-test.tsx';
import { SectionForm } from './section-form.tsx';

const sections = ['general', 'access', 'limits', 'notices', 'privacy', 'proxy'] as const;

/** What can be changed while the service runs; each section is saved on its own. */
export function SettingsPage() {
  const t = useText(adminSettingsText);
  // The page of all settings begins with the first section.
  const { section: named = 'general' }: { section?: string } = useParams({ strict: false });
  const section = sections.find((each) => each === named);
  return (
    <Page title={t.title} part={section && t.names[section]} width="reading">
      <TabLinks
        label={t.sections}
        value={section ?? ''}
        tabs={sections.map((value) => ({
          value,
          label: t.names[value],
          to: paths.settingsSection(value),
        }))}
      />
      {section === undefined && <EmptyState title={t.unknownSection} />}
      {section !== undefined && <Section section={section} />}
    </Page>
  );
}

function Section({ section }: { section: (typeof sections)[number] }) {
  switch (section) {
    case 'privacy':
      return <PrivacyFacts />;
    case 'proxy':
      return <ProxyTest />;
    case 'general':
    case 'access':
    case 'limits':
    case 'notices':
      return <StoredSection section={section} />;
  }
}

function StoredSection({ section }: { section: 'general' | 'access' | 'limits' | 'notices' }) {
  const t = useText(adminSettingsText);
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <>
      {error && <ErrorState error={error} title={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={4} />}
      {data && (
        // Another section is another form.
        <SectionForm
          key={section}
          section={section}
          label={t.names[section]}
          settings={data.filter((each) => each.section === section)}
        />
      )}
    </>
  );
}
