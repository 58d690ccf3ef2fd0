import { useState } from 'react';
import { paths } from '../paths.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Field } from '../ui/field.tsx';
import { Filters } from '../ui/filters.tsx';
import { Money } from '../ui/money.tsx';
import { Pager } from '../ui/pager.tsx';
import { Pill } from '../ui/pill.tsx';
import { Select } from '../ui/select.tsx';
import { StatStrip } from '../ui/stat-strip.tsx';
import { Time } from '../ui/time.tsx';
import { TraceId } from '../ui/trace-id.tsx';

interface Row {
  traceId: string;
  model: string;
  cost: { micros: number };
  status: 'Succeeded' | 'Failed' | 'Running' | 'Cancelled';
}

const rows: readonly Row[] = [
  {
    traceId: 'tr_01jd3k8qzv6w0x9m2n4p6r8t0a',
    model: 'gen-image-2.5-flare',
    cost: { micros: 20_000 },
    status: 'Succeeded',
  },
  {
    traceId: 'tr_01jd3k8qzv6w0x9m2n4p6r8t0b',
    model: 'gen-image-2.5-sunburst',
    cost: { micros: 42_500 },
    status: 'Running',
  },
  {
    traceId: 'tr_01jd3k8qzv6w0x9m2n4p6r8t0c',
    model: 'gen-image-2',
    cost: { micros: 0 },
    status: 'Failed',
  },
  {
    traceId: 'tr_01jd3k8qzv6w0x9m2n4p6r8t0d',
    model: 'gen-image-2',
    cost: { micros: 0 },
    status: 'Cancelled',
  },
];

const tones = { Succeeded: 'ok', Failed: 'bad', Running: 'accent', Cancelled: 'neutral' } as const;
const costs = rows.map(({ cost }) => cost);

const columns: readonly Column<Row>[] = [
  {
    id: 'time',
    title: 'Time',
    phone: 'title',
    sort: 'desc',
    cell: () => <Time at="2025-11-14T05:05:09.120Z" />,
  },
  {
    id: 'model',
    title: 'Model',
    phone: 'detail',
    cell: ({ model }) => <span translate="no">{model}</span>,
  },
  {
    id: 'cost',
    title: 'Cost',
    align: 'end',
    phone: 'value',
    cell: ({ cost }) => <Money amount={cost} as="cost" among={costs} />,
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'meta',
    cell: ({ status }) => <Pill tone={tones[status]}>{status}</Pill>,
  },
  {
    id: 'trace',
    title: 'Trace ID',
    cell: ({ traceId }) => <TraceId traceId={traceId} to={paths.trace(traceId)} />,
  },
];

const code = `curl -s $BASE_URL/v1/images/generations \\
  -H "Authorization: Bearer $IMAGE_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model":"gen-image-2.5-flare","prompt":"a paper boat at dawn"}'`;

export function KitData() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set([rows[1]?.traceId ?? '']));
  return (
    <>
      <StatStrip
        label="Summary"
        stats={[
          {
            label: 'Spend',
            value: <Money amount={{ micros: 12_340_000 }} as="total" />,
            to: paths.usage(),
          },
          { label: 'Requests', value: '308', to: paths.usage() },
          { label: 'Images billed', value: '301' },
          { label: 'Not billed', value: '7', note: 'failed and cancelled' },
        ]}
      />
      <Filters active={[{ label: 'Model: gen-image-2', onRemove: () => {} }]} onClear={() => {}}>
        <Field label="Model" className="w-44">
          <Select
            value="two"
            onChange={() => {}}
            choices={[{ value: 'two', label: 'gen-image-2' }]}
          />
        </Field>
      </Filters>
      <DataTable
        caption="Requests"
        columns={columns}
        rows={rows}
        rowKey={({ traceId }) => traceId}
        onOpen={() => {}}
        openKey={rows[0]?.traceId ?? null}
        selection={{ keys, onChange: setKeys }}
      />
      <Pager
        newer={null}
        older={paths.usage({ cursor: 'x' })}
        total={{ count: 1308, isExact: true }}
      />
      <div className="flex flex-wrap gap-2">
        {(['neutral', 'accent', 'ok', 'warn', 'bad'] as const).map((tone) => (
          <Pill key={tone} tone={tone}>
            {tone}
          </Pill>
        ))}
      </div>
      <p className="flex flex-wrap gap-4">
        <Money amount={{ micros: 0 }} as="price" />
        <Money amount={{ micros: 4_969_900 }} as="spendable" />
        <Money amount={{ micros: -40_000 }} as="change" />
        <Money amount={{ micros: 10_000_000 }} as="change" />
      </p>
      <CodeBlock label="curl" code={code} />
    </>
  );
}
