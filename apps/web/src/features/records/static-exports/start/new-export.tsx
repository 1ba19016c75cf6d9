import { ChevronDown, Import, Upload } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { createStore } from '#lib/state/store.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { useStartRefusal } from '#ui/connections/connections.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { Menu, MenuItem } from '#ui/overlays/menu.tsx'

const NewExportDialog = lazyDialog(async () => (await import('./new-export-dialog.tsx')).NewExportDialog)
const ImportDialog = lazyDialog(async () => (await import('./import-dialog.tsx')).ImportDialog)
const UploadDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/upload/upload-dialog.tsx')).UploadDialog,
)

const isOpen = createStore(false)

export const openNewExport = (): void => isOpen.set(true)
export const closeNewExport = (): void => isOpen.set(false)

/** Dialog of `openNewExport`, on every page. `suggestions`: sites on this machine. */
export const NewExportHost = ({ suggestions }: { suggestions: readonly string[] }) =>
  useSyncExternalStore(isOpen.subscribe, isOpen.get) && (
    <NewExportDialog suggestions={suggestions} onClose={closeNewExport} />
  )

/** Button that starts an export, beside the other ways to add one. */
export const NewExport = () => {
  const [adding, setAdding] = useState<'import' | 'upload' | null>(null)
  const refused = useStartRefusal()
  return (
    <span className="flex">
      <Button variant="primary" size="md" refused={refused} className="rounded-r-none" onClick={openNewExport}>
        New export
      </Button>
      <Menu
        label="Other ways to add an export"
        className={`${buttonClass({ variant: 'primary', size: 'md' })} -ml-px rounded-l-none border-l-accent-ink/30 px-2`}
        icon={<ChevronDown className="size-4" aria-hidden="true" />}
      >
        <MenuItem icon={<Import />} refused={refused} onSelect={() => setAdding('import')}>
          Add by job ID…
        </MenuItem>
        <MenuItem icon={<Upload />} refused={refused} onSelect={() => setAdding('upload')}>
          Upload a bundle…
        </MenuItem>
      </Menu>
      {adding === 'import' && <ImportDialog onClose={() => setAdding(null)} />}
      {adding === 'upload' && <UploadDialog onClose={() => setAdding(null)} />}
    </span>
  )
}
