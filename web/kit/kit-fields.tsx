import { useState } from 'react';
import { Checkbox } from '../ui/checkbox.tsx';
import { DateRange, type RangeChoice } from '../ui/date-range.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { Textarea } from '../ui/textarea.tsx';

export function KitFields() {
  const [text, setText] = useState('first key');
  const [price, setPrice] = useState('0.04');
  const [number, setNumber] = useState('120');
  const [model, setModel] = useState<'flare' | 'sunburst' | 'two'>('flare');
  const [size, setSize] = useState<'auto' | 'square' | 'wide'>('auto');
  const [isOn, setOn] = useState(true);
  const [level, setLevel] = useState(80);
  const [range, setRange] = useState<RangeChoice>({ range: '7d' });
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(240px,1fr))] items-start gap-5">
      <Field label="Name" help="Shown in the list of keys." note="Optional">
        <TextInput value={text} onChange={setText} />
      </Field>
      <Field label="Base URL" error="Write an address such as https://api.example.com/v1.">
        <TextInput value="api.example" onChange={setText} mono />
      </Field>
      <Field label="Password">
        <PasswordInput value={text} onChange={setText} autoComplete="off" />
      </Field>
      <Field label="Read only">
        <TextInput value="ana@example.com" readOnly />
      </Field>
      <Field label="Price">
        <MoneyInput value={price} onChange={setPrice} unit="per request" />
      </Field>
      <Field label="Price" error="Write a decimal with at most 6 decimals.">
        <MoneyInput value="0,04x" onChange={setPrice} />
      </Field>
      <Field label="Time limit">
        <NumberInput value={number} onChange={setNumber} unit="s" />
      </Field>
      <Field label="Prompt">
        <Textarea value="A paper boat at dawn, in soft light" onChange={setText} />
      </Field>
      <Field label="Model">
        <Select
          value={model}
          onChange={setModel}
          choices={[
            { value: 'flare', label: 'gen-image-2.5-flare', detail: '$0.0200 per request' },
            { value: 'sunburst', label: 'gen-image-2.5-sunburst', detail: '$0.0400 per request' },
            { value: 'two', label: 'gen-image-2', disabledReason: 'No enabled price' },
          ]}
        />
      </Field>
      <Field label="Size">
        <Segmented
          value={size}
          onChange={setSize}
          choices={[
            { value: 'auto', label: 'Auto' },
            { value: 'square', label: '1:1' },
            { value: 'wide', label: '3:2', disabledReason: 'Not offered' },
          ]}
        />
      </Field>
      <Field label="Compression">
        <Slider value={level} onChange={setLevel} min={0} max={100} />
      </Field>
      <div className="grid gap-3">
        <Switch label="Enabled" help="Users can choose it." checked={isOn} onChange={setOn} />
        <Switch label="Off" checked={!isOn} onChange={setOn} />
        <Switch label="Locked" checked onChange={setOn} disabledReason="Set a price first." />
        <Checkbox label="I have stored it" checked={isOn} onChange={setOn} />
        <Checkbox label="Not checked" help="With help" checked={!isOn} onChange={setOn} />
      </div>
      <div className="col-span-full flex flex-wrap gap-3">
        <DateRange
          value={range}
          fallback="7d"
          days={{ from: '2025-11-14', to: '2025-11-20' }}
          onChange={setRange}
        />
      </div>
    </div>
  );
}
