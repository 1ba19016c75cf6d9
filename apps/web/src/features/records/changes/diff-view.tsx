import type { Diff, DiffFile, DiffLine } from '@docket/api-types/changes'
import { ChevronRight } from 'lucide-react'
import { useId, useState, useMemo, useEffect } from 'react'
import { formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { DiffLayoutChoice, useDiffLayout } from '#ui/layout/diff-layout-choice.tsx'
import { AddedRemoved } from '#ui/marks/added-removed.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { isGitRemark, formatLineText, toSideBySideRows } from './diff-rows.ts'
import type { Segment } from './highlight.ts'

/** Coloured parts of lines. A line that is missing has no colours. */
type Colours = ReadonlyMap<DiffLine, readonly Segment[]>

const none: Colours = new Map()

/** Colours `lines`, once the grammars are loaded. Until then, and for unknown languages, the map is empty. */
const useColouredLines = (path: string, lines: readonly DiffLine[]): Colours => {
  const [colours, setColours] = useState(none)
  useEffect(() => {
    let isCurrent = true
    const colour = async () => {
      const { highlightLines } = await import('./highlight.ts')
      const found = new Map<DiffLine, readonly Segment[]>()
      // Grammars colour the old and the new text of each hunk separately.
      for (const hunk of splitHunks(lines))
        for (const side of ['removed', 'added'] as const) {
          const own = hunk.filter((line) => line.kind === side || (line.kind === 'same' && !isGitRemark(line)))
          const coloured = await highlightLines(path, own.map(formatLineText))
          for (const [at, segments] of coloured.entries()) found.set(own[at]!, segments)
        }
      if (isCurrent) setColours(found)
    }
    // Without the grammars, the text stays plain.
    void colour().catch(() => {})
    return () => void (isCurrent = false)
  }, [path, lines])
  return colours
}

const splitHunks = (lines: readonly DiffLine[]): DiffLine[][] => {
  const hunks: DiffLine[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'hunk') hunks.push([])
    else hunks.at(-1)!.push(line)
  }
  return hunks
}

const maxColumns = 2000

const fills = { added: 'bg-done-soft', removed: 'bg-failed-soft', same: '', hunk: 'bg-sunken' }
const signs = { added: '+', removed: '−', same: '', hunk: '' }
const spoken = { added: 'Added: ', removed: 'Removed: ', same: '', hunk: '' }

const numberClass =
  'w-11 min-w-11 px-1.5 text-end text-muted tabular-nums select-none max-sm:w-8 max-sm:min-w-8 max-sm:px-1'

const LineNumber = ({ line, side }: { line: DiffLine | null; side: 'before' | 'after' }) => (
  <td className={`${numberClass} ${line ? fills[line.kind] : 'bg-sunken'}`}>{line?.[side]}</td>
)

const ColouredText = ({ line, colours }: { line: DiffLine | null; colours: Colours }) => {
  if (line === null) return <td className="bg-sunken" aria-label="No line" />
  const text = formatLineText(line)
  const segments = text.length > maxColumns ? undefined : colours.get(line)
  return (
    <td className={`py-px ps-5 pe-2 -indent-4 whitespace-pre-wrap wrap-anywhere ${fills[line.kind]}`}>
      <span className="sr-only">{spoken[line.kind]}</span>
      <span aria-hidden="true" className="inline-block w-4 indent-0 select-none">
        {signs[line.kind]}
      </span>
      {isGitRemark(line) ? (
        <span className="text-muted italic">{revealHiddenCharacters(text)}</span>
      ) : segments ? (
        segments.map(({ text: part, look }, at) => (
          <span key={at} className={look || undefined}>
            {revealHiddenCharacters(part)}
          </span>
        ))
      ) : (
        revealHiddenCharacters(text.slice(0, maxColumns))
      )}
      {text.length > maxColumns && (
        <span className="text-muted italic"> … {text.length - maxColumns} more characters</span>
      )}
    </td>
  )
}

const HunkHeader = ({ line, columns }: { line: DiffLine; columns: number }) => (
  <tr>
    <td colSpan={columns} className="bg-sunken px-2 py-1 text-muted wrap-anywhere">
      {revealHiddenCharacters(line.text.slice(0, maxColumns))}
    </td>
  </tr>
)

type DiffTableProps = {
  label: string
  lines: readonly DiffLine[]
  layout: 'unified' | 'side-by-side'
  colours: Colours
}

const DiffTable = ({ label, lines, layout, colours }: DiffTableProps) => (
  <table
    dir="ltr"
    aria-label={label}
    className={`w-full font-mono text-xs leading-5 ${layout === 'side-by-side' ? 'table-fixed' : ''}`}
  >
    {layout === 'side-by-side' && (
      <colgroup>
        <col className="w-11" />
        <col />
        <col className="w-11" />
        <col />
      </colgroup>
    )}
    <tbody>
      {layout === 'unified'
        ? lines.map((line, at) =>
            line.kind === 'hunk' ? (
              <HunkHeader key={at} line={line} columns={3} />
            ) : (
              <tr key={at}>
                <LineNumber line={line} side="before" />
                <LineNumber line={line} side="after" />
                <ColouredText line={line} colours={colours} />
              </tr>
            ),
          )
        : toSideBySideRows(lines).map((row, at) =>
            'hunk' in row ? (
              <HunkHeader key={at} line={row.hunk} columns={4} />
            ) : (
              <tr key={at}>
                <LineNumber line={row.before} side="before" />
                <ColouredText line={row.before} colours={colours} />
                <LineNumber line={row.after} side="after" />
                <ColouredText line={row.after} colours={colours} />
              </tr>
            ),
          )}
    </tbody>
  </table>
)

const linesPerStep = 300

type DiffFileSectionProps = { file: DiffFile; layout: 'unified' | 'side-by-side'; isOpenAtFirst: boolean }

const DiffFileSection = ({ file, layout, isOpenAtFirst }: DiffFileSectionProps) => {
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
          <bdi className="min-w-0 font-mono text-xs font-medium wrap-anywhere">{revealHiddenCharacters(file.path)}</bdi>
        </button>
        {file.note !== '' && (
          <bdi className="text-xs text-muted wrap-anywhere">{revealHiddenCharacters(file.note)}</bdi>
        )}
        {file.lines.length > 0 && !file.isCut && (
          <AddedRemoved added={file.added} removed={file.removed} what="lines" className="text-xs" />
        )}
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
        <DiffTable
          label={`Changes in ${revealHiddenCharacters(file.path)}`}
          lines={lines}
          layout={layout}
          colours={colours}
        />
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
              {formatPlural(totals.files, 'file')}{' '}
              <AddedRemoved added={totals.added} removed={totals.removed} what="lines" className="text-xs" />
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
