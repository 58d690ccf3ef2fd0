import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { icon } from '../../ui/icon.ts';

/** Lets the user choose an export. */
export function ImportButton({
  label,
  look,
  onFile,
}: {
  label: string;
  look?: ButtonProps['look'];
  onFile: (file: Blob) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        data-testid="gallery-import"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          // The same file once more is a choice, too.
          event.target.value = '';
        }}
      />
      <Button
        {...(look ? { look } : {})}
        icon={<Upload {...icon} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
