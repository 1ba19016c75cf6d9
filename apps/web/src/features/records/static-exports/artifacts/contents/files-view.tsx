import type { StaticExport } from '@docket/api-types/static-exports'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useDownloadRefusal } from '#features/records/static-exports/actions/use-refusals.ts'
import { printFilePath, filesQuery } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { formatBytes, revealHiddenCharacters } from '#lib/text/format.ts'
import { buttonClass, IconButton } from '#ui/buttons/button.tsx'
import { CopyText } from '#ui/copying/copy-text.tsx'
import { PartList } from './part-list.tsx'
import { useTextSearch } from './use-text-search.ts'

const iconClass = `${buttonClass({ variant: 'quiet', size: 'icon' })} -my-1`

const labelFile = (path: string) => `Download ${revealHiddenCharacters(path)}`

export const FilesView = ({ row }: { row: StaticExport }) => {
  const { exportId } = row
  const [q, search] = useTextSearch()
  const query = useInfiniteQuery(filesQuery(exportId, { q, limit: 200 }))
  const refused = useDownloadRefusal(row)
  const files = query.data?.pages.flatMap((part) => part.files) ?? []
  const total = query.data?.pages[0]?.total
  return (
    <PartList
      one="file"
      q={q}
      onSearch={search}
      query={query}
      counts={total === undefined ? null : { total, loaded: files.length }}
    >
      <ul>
        {files.map(({ path, sizeBytes, sha256, type }) => (
          <li
            key={path}
            className="grid grid-cols-[minmax(0,1fr)_auto_2rem] items-center gap-x-4 border-t border-line px-4 py-1.5 text-sm md:grid-cols-[minmax(0,1fr)_10rem_8rem_5rem_2rem]"
          >
            <bdi className="font-mono text-xs wrap-anywhere">{revealHiddenCharacters(path)}</bdi>
            <span className="truncate text-xs text-muted max-md:col-start-1 max-md:row-start-2">{type}</span>
            <span className="min-w-0 text-xs text-muted max-md:col-span-2 max-md:row-start-2">
              <span className="sr-only">SHA-256 </span>
              <CopyText text={sha256} className="max-w-32" />
            </span>
            <span className="text-right text-xs text-muted tabular-nums max-md:col-start-2 max-md:row-start-1">
              {formatBytes(sizeBytes)}
            </span>
            <span className="max-md:col-start-3 max-md:row-start-1">
              {refused === null ? (
                <a href={printFilePath(exportId, path)} download aria-label={labelFile(path)} className={iconClass}>
                  <Download className="size-4" aria-hidden="true" />
                </a>
              ) : (
                <IconButton icon={Download} refused={refused} label={labelFile(path)} className="-my-1" />
              )}
            </span>
          </li>
        ))}
      </ul>
    </PartList>
  )
}
