import type { DiffFile } from '@docket/api-types/changes'
import { ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { DiffSize } from './diff-size.tsx'
import { DiffTable } from './diff-table.tsx'
import { useColouredLines } from './use-coloured-lines.ts'

/** Lines of a file that one press adds to the page. */
export const linesPerStep = 300

export const DiffFileSection = ({
  file,
  layout,
  isOpenAtFirst,
}: {
  file: DiffFile
  layout: 'unified' | 'side-by-side'
  isOpenAtFirst: boolean
}) => {
  const id = useId()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <section aria-labelledby={id} className="panel min-w-0 overflow-clip">
      <h3 id={id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 bg-sunken py-1.5 ps-1.5 pe-3 text-sm">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-6 min-w-0 flex-1 items-center gap-1.5 text-start"
        >
          <ChevronRight className={`size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
          <bdi className="min-w-0 font-mono text-xs font-medium wrap-anywhere">{reveal(file.path)}</bdi>
        </button>
        {file.note !== '' && <bdi className="text-xs text-muted wrap-anywhere">{reveal(file.note)}</bdi>}
        {file.lines.length > 0 && !file.isCut && <DiffSize added={file.added} removed={file.removed} />}
      </h3>
      {isOpen && <FileLines file={file} layout={layout} />}
    </section>
  )
}

const FileLines = ({ file, layout }: { file: DiffFile; layout: 'unified' | 'side-by-side' }) => {
  const [max, setMax] = useState(linesPerStep)
  const lines = useMemo(() => file.lines.slice(0, max), [file.lines, max])
  const colours = useColouredLines(file.path, lines)
  const left = file.lines.length - lines.length
  return (
    <>
      {lines.length > 0 ? (
        <DiffTable label={`Changes in ${reveal(file.path)}`} lines={lines} layout={layout} colours={colours} />
      ) : (
        <p className="px-3 py-2 text-sm text-muted">No lines to show.</p>
      )}
      {left > 0 && (
        <p className="border-t border-line px-3 py-2">
          <Button size="sm" onClick={() => setMax(max + linesPerStep)}>
            Show {formatPlural(Math.min(left, linesPerStep), 'more line')} of {formatCount(left)}
          </Button>
        </p>
      )}
      {file.isCut && left === 0 && (
        <p className="border-t border-line px-3 py-2 text-sm text-muted">
          This file has more changes. Clone the repository to see them.
        </p>
      )}
    </>
  )
}
