import { Download } from 'lucide-react';
import { csvRowsMax } from '../../shared/console/csv-limits.ts';
import { apiUrl, type Query } from '../api/call-api.ts';
import { requestText } from '../i18n/request-text.ts';
import { useText } from '../i18n/text.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { icon } from '../ui/icon.ts';

/** The list as a file: one request to the server, whose filters stand in its address. */
export function CsvLink({ path, query, rows }: { path: string; query: Query; rows: number }) {
  const t = useText(requestText);
  const picture = <Download {...icon} />;
  if (rows > csvRowsMax) {
    return (
      <Button icon={picture} disabledReason={t.exportTooMany(rows, csvRowsMax)}>
        {t.exportCsv}
      </Button>
    );
  }
  return (
    <a
      href={apiUrl(path, query)}
      download
      title={t.exportNote(csvRowsMax)}
      className={buttonClass('secondary')}
    >
      {picture}
      {t.exportCsv}
    </a>
  );
}
