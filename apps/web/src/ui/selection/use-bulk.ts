import { useRef, useState, useSyncExternalStore } from 'react'
import { toMessage } from '#lib/api/api-error.ts'
import { announce } from '#lib/state/announcements.ts'
import { formatPlural } from '#lib/text/format.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { focusRow } from '#ui/records/row-focus.ts'
import type { Selection } from './selection.ts'

export type Item<Row> = { id: string; row: Row }

export type Failure = { id: string; name: string; reason: string }

type Action<Row> = {
  /** Word for what was done, such as `Removed`. */
  done: string
  /** Appended to the message about rows that succeeded. */
  note?: (rows: readonly Row[]) => string
  /** Resolves to the reason when it did not succeed. */
  act: (row: Row) => Promise<string | null>
  undo?: (row: Row) => Promise<unknown>
}

type Texts<Row> = { one: string; formatName: (row: Row) => string }

/**
 * Acts on selected rows, one after the other. Rows that succeed leave the selection; the others stay selected, with the reason. Goes on
 * when the bar disappears.
 */
export const useBulk = <Row>(selection: Selection, { one, formatName }: Texts<Row>) => {
  const shown = useSyncExternalStore(selection.shown.subscribe, selection.shown.get) as readonly Item<Row>[]
  useSyncExternalStore(selection.picked.subscribe, selection.picked.get)
  const isRunning = useRef(false)
  const [running, setRunning] = useState<{ done: string; left: number } | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])

  const undoAll = async (items: readonly Item<Row>[], undo: (row: Row) => Promise<unknown>) => {
    for (const { row } of items) await undo(row).catch(toastFailure(`${formatName(row)}:`))
    focusRow(items[0]!.id)
  }

  const run = async (items: readonly Item<Row>[], { done, note, act, undo }: Action<Row>) => {
    if (isRunning.current) return
    isRunning.current = true
    setFailures([])
    const finished: Item<Row>[] = []
    const failed: Failure[] = []
    for (const [place, { id, row }] of items.entries()) {
      setRunning({ done, left: items.length - place })
      const reason = await act(row).catch(toMessage)
      if (reason === null) {
        finished.push({ id, row })
        selection.drop([id])
      } else failed.push({ id, name: formatName(row), reason })
    }
    isRunning.current = false
    setRunning(null)
    setFailures(failed)
    const summary = `${failed.length} of ${formatPlural(items.length, one)} failed.`
    // The bar lists the reasons while one of the rows is there.
    if (failed.some(({ id }) => selection.shown.get().some((row) => row.id === id))) announce(summary)
    else if (failed.length > 0) toast(`${summary} ${failed[0]!.name}: ${failed[0]!.reason}`, { tone: 'failed' })
    if (finished.length > 0)
      toast(`${done} ${formatPlural(finished.length, one)}.${note?.(finished.map(({ row }) => row)) ?? ''}`, {
        tone: undo ? 'idle' : 'done',
        ...(undo && { action: { label: 'Undo', run: () => void undoAll(finished, undo) } }),
      })
  }

  return {
    shown,
    items: shown.filter(({ id }) => selection.has(id)),
    running,
    failures,
    run: (items: readonly Item<Row>[], action: Action<Row>) => void run(items, action),
  }
}
