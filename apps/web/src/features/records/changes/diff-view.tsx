import type { Diff } from '@docket/api-types/changes'
import { useId, useState } from 'react'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { DiffLayoutChoice, useDiffLayout } from '#ui/layout/diff-layout-choice.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { DiffFileSection, linesPerStep } from './diff-file-section.tsx'
import { DiffSize } from './diff-size.tsx'

/** Files that one press adds to the page, and lines of files that are open at first. */
const filesPerStep = 50
const maxOpenLines = 1500

/** Changes file by file. Large ones show a part at a time, so that the page stays fast. */
export const DiffView = ({ diff }: { diff: Diff }) => {
  const id = useId()
  const { layout } = useDiffLayout()
  const [max, setMax] = useState(filesPerStep)
  const { files, totals, isCut } = diff
  const left = files.length - max
  const openFiles = countOpenFiles(files)
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="flex flex-wrap items-baseline gap-x-3 text-base font-semibold">
          Changes
          {totals !== null && totals.files > 0 && (
            <span className="flex flex-wrap items-baseline gap-x-3 text-sm font-normal text-muted">
              {formatPlural(totals.files, 'file')} <DiffSize added={totals.added} removed={totals.removed} />
            </span>
          )}
        </h2>
        {files.length > 0 && <DiffLayoutChoice />}
      </div>
      <div className="grid gap-3">
        {isCut && (
          <Notice tone="attention">
            This is the beginning of a large change: {formatPlural(files.length, 'file')}
            {totals !== null && totals.files > files.length ? ` of ${formatCount(totals.files)}` : ''}, 512 kB at most.
            Clone the repository to see all of it.
          </Notice>
        )}
        {files.length === 0 && <p className="panel px-4 py-3 text-sm text-muted">Nothing differs.</p>}
        {files.slice(0, max).map((file, at) => (
          <DiffFileSection key={`${at} ${file.path}`} file={file} layout={layout} isOpenAtFirst={at < openFiles} />
        ))}
        {left > 0 && (
          <p>
            <Button onClick={() => setMax(max + filesPerStep)}>
              Show {formatPlural(Math.min(left, filesPerStep), 'more file')} of {formatCount(left)}
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

const countOpenFiles = (files: Diff['files']): number => {
  let lines = 0
  const firstFolded = files.findIndex((file) => (lines += Math.min(file.lines.length, linesPerStep)) > maxOpenLines)
  return firstFolded < 0 ? files.length : firstFolded
}
