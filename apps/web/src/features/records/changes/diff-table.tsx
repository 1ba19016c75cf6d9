import type { DiffLine } from '@docket/api-types/changes'
import { reveal } from '#lib/text/reveal.ts'
import { isRemark, lineText, toSideBySide } from './diff-rows.ts'
import type { Colours } from './use-coloured-lines.ts'

/** Characters of a line that are shown. */
const maxColumns = 2000

const fills = { added: 'bg-done-soft', removed: 'bg-failed-soft', same: '', hunk: 'bg-sunken' }
const signs = { added: '+', removed: '−', same: '', hunk: '' }
const spoken = { added: 'Added: ', removed: 'Removed: ', same: '', hunk: '' }

const numberClass =
  'w-11 min-w-11 px-1.5 text-end text-muted tabular-nums select-none max-sm:w-8 max-sm:min-w-8 max-sm:px-1'

const LineNumber = ({ line, side }: { line: DiffLine | null; side: 'before' | 'after' }) => (
  <td className={`${numberClass} ${line ? fills[line.kind] : 'bg-sunken'}`}>{line?.[side]}</td>
)

const Text = ({ line, colours }: { line: DiffLine | null; colours: Colours }) => {
  if (line === null) return <td className="bg-sunken" aria-label="No line" />
  const text = lineText(line)
  const segments = text.length > maxColumns ? undefined : colours.get(line)
  return (
    <td className={`py-px ps-5 pe-2 -indent-4 whitespace-pre-wrap wrap-anywhere ${fills[line.kind]}`}>
      <span className="sr-only">{spoken[line.kind]}</span>
      <span aria-hidden="true" className="inline-block w-4 indent-0 select-none">
        {signs[line.kind]}
      </span>
      {isRemark(line) ? (
        <span className="text-muted italic">{reveal(text)}</span>
      ) : segments ? (
        segments.map(({ text: part, look }, at) => (
          <span key={at} className={look || undefined}>
            {reveal(part)}
          </span>
        ))
      ) : (
        reveal(text.slice(0, maxColumns))
      )}
      {text.length > maxColumns && (
        <span className="text-muted italic"> … {text.length - maxColumns} more characters</span>
      )}
    </td>
  )
}

const Hunk = ({ line, columns }: { line: DiffLine; columns: number }) => (
  <tr>
    <td colSpan={columns} className="bg-sunken px-2 py-1 text-muted wrap-anywhere">
      {reveal(line.text.slice(0, maxColumns))}
    </td>
  </tr>
)

export const DiffTable = ({
  label,
  lines,
  layout,
  colours,
}: {
  label: string
  lines: readonly DiffLine[]
  layout: 'unified' | 'side-by-side'
  colours: Colours
}) => (
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
              <Hunk key={at} line={line} columns={3} />
            ) : (
              <tr key={at}>
                <LineNumber line={line} side="before" />
                <LineNumber line={line} side="after" />
                <Text line={line} colours={colours} />
              </tr>
            ),
          )
        : toSideBySide(lines).map((row, at) =>
            'hunk' in row ? (
              <Hunk key={at} line={row.hunk} columns={4} />
            ) : (
              <tr key={at}>
                <LineNumber line={row.before} side="before" />
                <Text line={row.before} colours={colours} />
                <LineNumber line={row.after} side="after" />
                <Text line={row.after} colours={colours} />
              </tr>
            ),
          )}
    </tbody>
  </table>
)
