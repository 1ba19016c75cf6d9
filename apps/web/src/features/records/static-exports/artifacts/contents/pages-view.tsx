import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { pagesQuery } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button, IconButton } from '#ui/buttons/button.tsx'
import { PageLine, labelFindings, pageColumns, PageMarks } from './page-line.tsx'
import { buildPageTree, type PageFolder } from './page-tree.ts'
import { PartList } from './part-list.tsx'
import { useTextSearch } from './use-text-search.ts'

/** Further entries of a folder appear on request. */
const maxEntries = 100

type FolderProps = {
  exportId: string
  folder: PageFolder
  isOpen: (folder: PageFolder) => boolean
  onToggle: (folder: PageFolder) => void
}

const FolderChevron = ({ folder, isOpen, onToggle }: Omit<FolderProps, 'exportId'>) => {
  const open = isOpen(folder)
  return (
    <IconButton
      icon={ChevronRight}
      iconClass={`size-4 transition-transform ${open ? 'rotate-90' : ''}`}
      className="-my-1 size-7"
      aria-expanded={open}
      label={`Pages below ${revealHiddenCharacters(folder.path)}`}
      onClick={() => onToggle(folder)}
    />
  )
}

/** Line of a folder; while it is closed, its counts include its content. */
const FolderLine = (props: FolderProps) => {
  const { exportId, folder, isOpen } = props
  if (folder.page)
    return (
      <PageLine exportId={exportId} page={folder.page} closed={isOpen(folder) ? null : folder}>
        <FolderChevron {...props} />
      </PageLine>
    )
  const found = isOpen(folder) ? null : labelFindings(folder.findings)
  return (
    <div className={pageColumns}>
      <div className="flex min-w-0 items-center gap-1">
        <FolderChevron {...props} />
        <span className="min-w-0 truncate">
          <bdi className="font-mono text-xs">{revealHiddenCharacters(folder.name)}/</bdi>{' '}
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

const PageFolders = (props: FolderProps) => {
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

/** Number of pages that a tree loads at first. */
const maxInTree = 2000
/** A site with more pages shows its folders closed. */
const maxOpenPages = 60

export const PagesView = ({ exportId }: { exportId: string }) => {
  const [q, search] = useTextSearch()
  const isTree = q.trim() === ''
  const query = useInfiniteQuery(pagesQuery(exportId, { q, limit: isTree ? 500 : 100 }))
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const pages = useMemo(() => data?.pages.flatMap((part) => part.pages) ?? [], [data])
  const root = useMemo(() => buildPageTree(pages), [pages])
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const total = data?.pages[0]?.total

  const isFilling = isTree && query.error === null && pages.length < maxInTree
  const goOn = isFilling && hasNextPage && !isFetching
  useEffect(() => {
    if (goOn) void fetchNextPage()
  }, [goOn, fetchNextPage])

  const isOpen = ({ path }: PageFolder) => (total !== undefined && total <= maxOpenPages) !== toggled.has(path)
  const toggle = ({ path }: PageFolder) =>
    setToggled((before) => new Set(before.has(path) ? [...before].filter((one) => one !== path) : [...before, path]))
  return (
    <PartList
      one="page"
      q={q}
      onSearch={search}
      query={{ ...query, hasNextPage: hasNextPage && !isFilling }}
      counts={total === undefined ? null : { total, loaded: pages.length }}
    >
      {isTree ? (
        <>
          {root.page && <PageLine exportId={exportId} page={root.page} className="border-b border-line pl-9" />}
          <PageFolders exportId={exportId} folder={root} isOpen={isOpen} onToggle={toggle} />
        </>
      ) : (
        <ul>
          {pages.map((page) => (
            <li key={page.path} className="border-t border-line">
              <PageLine exportId={exportId} page={page} className="pl-4" />
            </li>
          ))}
        </ul>
      )}
    </PartList>
  )
}
