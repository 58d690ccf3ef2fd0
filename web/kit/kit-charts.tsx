import { useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { formatDay } from '../lib/time-format.ts';
import { BarChart } from '../ui/bar-chart.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { StepChart } from '../ui/step-chart.tsx';

const days = Array.from(
  { length: 30 },
  (_, index) => `2025-11-${String(index + 1).padStart(2, '0')}`,
);
const dayMs = 86_400_000;
const begin = Date.parse('2025-11-01T00:00:00Z');

export function KitCharts() {
  const formats = useFormats();
  const [kind, setKind] = useState<'spend' | 'requests'>('spend');
  const amount = (micros: number) => formats.total({ micros: Math.round(micros) });
  const wave = (index: number, seed: number) =>
    index % 7 === 5 ? 0 : Math.round((Math.sin(index / 3 + seed) + 1.2) * 400_000);
  return (
    <>
      <BarChart
        title="Spend"
        summary="Spend per day, 1 to 30 November: $42.10 in all, most on 9 November"
        buckets={days.map((day) => ({
          key: day,
          label: formatDay(day, formats.locale, 'short'),
          title: formatDay(day, formats.locale),
        }))}
        series={[
          'gen-image-2.5-flare',
          'gen-image-2.5-sunburst',
          'gen-image-2',
          'flux',
          'Other',
        ].map((label, seed) => ({
          key: label,
          label,
          values: days.map((_, index) => wave(index, seed)),
          isRest: label === 'Other',
        }))}
        format={amount}
        heads={{ bucket: 'Day', sum: 'Spend' }}
        onSelect={() => {}}
        controls={
          <Segmented
            label="What is drawn"
            value={kind}
            onChange={setKind}
            choices={[
              { value: 'spend', label: 'Spend' },
              { value: 'requests', label: 'Requests' },
            ]}
          />
        }
      />
      <StepChart
        title="Balance"
        summary="Balance from $20.00 to $4.96"
        from={begin}
        to={begin + 30 * dayMs}
        ticks={days.map((day) => ({
          at: Date.parse(day),
          label: formatDay(day, formats.locale, 'short'),
        }))}
        points={days.map((day, index) => ({
          at: Date.parse(day),
          title: formatDay(day, formats.locale),
          value: 20_000_000 - index * 700_000 + (index > 15 ? 8_000_000 : 0),
        }))}
        format={amount}
        heads={{ time: 'Time', value: 'Balance' }}
      />
    </>
  );
}
