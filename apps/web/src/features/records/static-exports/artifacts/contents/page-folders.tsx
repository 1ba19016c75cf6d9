import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { labelFindings, pageColumns, PageLine, PageMarks } from './page-line.tsx'
import type { PageFolder } from './page-tree.ts'

/** More entries of one folder wait behind a button. */
const maxEntries = 100

type FolderProps = {
  exportId: string
  folder: PageFolder
  isOpen: (folder: PageFolder) => boolean
  onToggle: (folder: PageFolder) => void
}

const Chevron = ({ folder, isOpen, onToggle }: Omit<FolderProps, 'exportId'>) => {
  const open = isOpen(folder)
  return (
    <Button
      variant="quiet"
      size="icon"
      className="-my-1 size-7"
      aria-expanded={open}
      aria-label={`Pages below ${reveal(folder.path)}`}
      onClick={() => onToggle(folder)}
    >
      <ChevronRight className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden="true" />
    </Button>
  )
}

/** Line of a folder; what is inside counts while it is closed. */
const FolderLine = (props: FolderProps) => {
  const { exportId, folder, isOpen } = props
  if (folder.page)
    return (
      <PageLine exportId={exportId} page={folder.page} closed={isOpen(folder) ? null : folder}>
        <Chevron {...props} />
      </PageLine>
    )
  const found = isOpen(folder) ? null : labelFindings(folder.findings)
  return (
    <div className={pageColumns}>
      <div className="flex min-w-0 items-center gap-1">
        <Chevron {...props} />
        <span className="min-w-0 truncate">
          <bdi className="font-mono text-xs">{reveal(folder.name)}/</bdi>{' '}
          <span className="text-xs text-muted">{formatPlural(folder.count, 'page')}</span>
        </span>
      </div>
      <PageMarks indented>
        {!isOpen(folder) && folder.changes > 0 && (
          <span className="text-muted sm:col-start-2">{formatCount(folder.changes)} changed</span>
        )}
        {found && <span className={`sm:col-start-3 ${found.className}`}>{found.words}</span>}
      </PageMarks>
    </div>
  )
}

/** Entries of a folder, with those of open folders below them. */
export const PageFolders = (props: FolderProps) => {
  const { exportId, folder, isOpen } = props
  const [shown, setShown] = useState(maxEntries)
  const entries = [...folder.folders, ...folder.pages]
  return (
    <ul>
      {entries.slice(0, shown).map((entry) =>
        'folders' in entry ? (
          <li key={entry.path} className="border-t border-line">
            <FolderLine {...props} folder={entry} />
            {isOpen(entry) && (
              <div className="pl-4 sm:pl-6">
                <PageFolders {...props} folder={entry} />
              </div>
            )}
          </li>
        ) : (
          <li key={entry.path} className="border-t border-line">
            <PageLine exportId={exportId} page={entry} className="pl-9" />
          </li>
        ),
      )}
      {entries.length > shown && (
        <li className="border-t border-line px-4 py-2">
          <Button onClick={() => setShown(shown + maxEntries * 5)}>
            {`Show ${formatPlural(Math.min(entries.length - shown, maxEntries * 5), 'more entry', 'more entries')}`}
          </Button>
        </li>
      )}
    </ul>
  )
}
