import { Copy, Download, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { icon } from '../ui/icon.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { SidePanel } from '../ui/side-panel.tsx';
import { useToast } from '../ui/toast.tsx';

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const;

export function KitActions() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'panel' | null>(null);
  const toast = useToast();
  const close = () => setOpen(null);
  return (
    <>
      {looks.map((look) => (
        <div key={look} className="flex flex-wrap items-center gap-3">
          <Button look={look}>Add $10.00</Button>
          <Button look={look} icon={<Plus {...icon} />}>
            With a picture
          </Button>
          <Button look={look} size="small">
            Small
          </Button>
          <Button look={look} size="large">
            Large
          </Button>
          <Button look={look} busy>
            Busy
          </Button>
          <Button look={look} disabledReason="Set a price first.">
            Not now
          </Button>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <IconButton label="Download" icon={<Download {...icon} />} />
        <IconButton label="Delete" icon={<Trash2 {...icon} />} size="small" />
        <CopyButton text="copied" />
        <CopyButton text="copied" isWide />
        <Link to={paths.usage()}>A link in a sentence</Link>
        <Link to={paths.usage()} look="plain" className={buttonClass()}>
          A link as a button
        </Link>
        <Menu
          trigger={<IconButton label="More" icon={<Ellipsis {...icon} />} />}
          items={[
            { label: 'Copy', icon: <Copy {...icon} />, onSelect: () => {} },
            { label: 'Rotate', onSelect: () => {}, disabledReason: 'The key is disabled.' },
            { kind: 'separator' },
            { label: 'Delete', icon: <Trash2 {...icon} />, onSelect: () => {}, isDanger: true },
          ]}
        />
        <Popover trigger={<Button>Popover</Button>} title="Cost">
          <p>3 × $0.0400 = $0.1200</p>
        </Popover>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('panel')}>Panel</Button>
        <Button
          onClick={() =>
            toast({ title: 'Deleted 1 image', action: { label: 'Undo', onClick: () => {} } })
          }
        >
          Toast
        </Button>
      </div>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Add funds"
        actions={
          <Button look="primary" onClick={close}>
            Add $10.00
          </Button>
        }
      >
        <p>Balance $4.96 → $14.96</p>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete 128 images?"
        confirm="Delete 128 images"
        isDanger
        onConfirm={close}
        typed={{ label: 'Type "delete" to go on', expected: 'delete' }}
      >
        <p>128 images, 241 MB, only in this browser.</p>
      </ConfirmDialog>
      <SidePanel
        open={open === 'panel'}
        onClose={close}
        title="Record"
        actions={<Button look="primary">Save</Button>}
      >
        <p>Something about a row.</p>
      </SidePanel>
    </>
  );
}
