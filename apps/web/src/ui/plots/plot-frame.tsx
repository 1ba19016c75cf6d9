import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { OutcomeLegend, type Outcome } from './marks.tsx'
import { PlotArea } from './plot-area.tsx'

/** Columns and rows of a plot's table. The first cell of a row names it. */
export type PlotTable = { columns: readonly string[]; rows: readonly { key: string; cells: readonly ReactNode[] }[] }

const PlotTableView = ({ title, table }: { title: string; table: PlotTable }) => (
  // Focusable, because the keyboard scrolls it.
  <div role="region" aria-label={`${title}, table`} tabIndex={0} className="mt-2 max-h-80 overflow-auto">
    <table className="w-full text-left text-xs">
      <thead className="sticky top-0 bg-surface text-muted">
        <tr>
          {table.columns.map((name) => (
            <th key={name} scope="col" className="py-1 pr-4 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ key, cells: [name, ...cells] }) => (
          <tr key={key} className="border-t border-line">
            <th scope="row" className="py-1 pr-4 font-normal">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={table.columns[index + 1]} className="py-1 pr-4 whitespace-nowrap">
                {cell ?? '–'}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

type PlotFrameProps = Omit<ComponentProps<typeof PlotArea>, 'label' | 'current' | 'onCurrent'> & {
  title: string
  sample: string
  outcomes: ReadonlySet<Outcome>
  table: PlotTable
}

export const PlotFrame = ({ title, sample, outcomes, table, ...area }: PlotFrameProps) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [current, setCurrent] = useState<number | null>(null)
  const reading = area.readings[current ?? -1] ?? sample
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id} className="text-sm font-medium">
          {title}
        </h3>
        {(outcomes.size > 1 || !outcomes.has('completed')) && <OutcomeLegend outcomes={outcomes} />}
      </figcaption>
      <p className="mt-0.5 mb-1 truncate text-xs text-muted" title={reading}>
        {reading}
      </p>
      <PlotArea {...area} label={title} current={current} onCurrent={setCurrent} />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="inline-flex h-6 items-center text-xs text-accent underline-offset-2 hover:underline">
          {open ? 'Hide table' : 'Show as table'}
          <span className="sr-only">: {title}</span>
        </summary>
        {open && <PlotTableView title={title} table={table} />}
      </details>
    </figure>
  )
}
