import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { pagesQuery } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { PageFolders } from './page-folders.tsx'
import { PageLine } from './page-line.tsx'
import { buildPageTree, type PageFolder } from './page-tree.ts'
import { PartList } from './part-list.tsx'
import { useTextSearch } from './use-text-search.ts'

/** Pages that a tree is built from without being asked for more. */
const maxInTree = 2000
/** A site with more pages shows its folders closed. */
const maxOpenPages = 60

/** Pages of an artifact by folder; matches of a search in one list. */
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
      many="pages"
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
