import type { ErrorCode } from '../../../../shared/error-codes.ts';
import { quickstartText } from '../../../i18n/quickstart-text.ts';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';

/** What a program can meet, in the order in which the service checks. */
const errors = [
  { http: 401, code: 'unauthorized' },
  { http: 400, code: 'invalid_request_error' },
  { http: 503, code: 'model_unavailable' },
  { http: 429, code: 'rate_limit' },
  { http: 429, code: 'insufficient_quota' },
  { http: 502, code: 'upstream_error' },
  { http: 503, code: 'unavailable' },
  { http: 500, code: 'internal_error' },
] as const satisfies readonly { http: number; code: ErrorCode }[];

/** Each error with its remedy. */
export function ErrorTable() {
  const t = useText(quickstartText);
  return (
    <section className="grid min-w-0 gap-2">
      <h2 className="text-body">{t.errorsTitle}</h2>
      <p className="text-text-2">{t.errorsText}</p>
      <DataTable
        caption={t.errorsTitle}
        columns={useColumns()}
        rows={errors}
        rowKey={({ code }) => code}
      />
    </section>
  );
}

function useColumns(): readonly Column<(typeof errors)[number]>[] {
  const t = useText(quickstartText);
  const { advice } = useText(requestText);
  return [
    { id: 'http', title: t.http, phone: 'value', cell: ({ http }) => http },
    {
      id: 'code',
      title: t.errorCode,
      phone: 'title',
      cell: ({ code }) => (
        <code className="text-label whitespace-nowrap" translate="no">
          {code}
        </code>
      ),
    },
    {
      id: 'advice',
      title: t.whatToDo,
      phone: 'wide',
      cell: ({ code }) => advice[code],
    },
  ];
}
