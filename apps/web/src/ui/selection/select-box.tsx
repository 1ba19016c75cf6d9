import { use } from 'react'
import { currentConnections, explainOperate, findConnection } from '#lib/connections/connections.ts'
import { refusedProps } from '#ui/buttons/button.tsx'
import { useConnections, useRecordRefusal, type Belonging } from '#ui/connections/connections.tsx'
import { toast } from '#ui/messages/toast.ts'
import { SelectionContext, useIsSelected } from './selection.ts'

export const mayChangeRecord = (row: unknown): boolean =>
  explainOperate(findConnection(currentConnections.get() ?? [], (row as Belonging).connectionId), null) === null

export const useMaySelect = (): boolean => useConnections()?.some(({ mayOperate }) => mayOperate) === true

type SelectBoxProps = { id: string; name: string; record: Belonging }

/** Selects a row of a list; with Shift, all rows since the one before. Readers without the right to change records see no box. */
export const SelectBox = ({ id, name, record }: SelectBoxProps) => {
  const { toggle } = use(SelectionContext)
  const checked = useIsSelected(id)
  const refused = useRecordRefusal(record)
  if (!useMaySelect()) return null
  return (
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      {...refusedProps(refused)}
      checked={checked}
      onChange={({ target, nativeEvent }) =>
        refused === null
          ? toggle(id, target.checked, { extend: (nativeEvent as MouseEvent).shiftKey, isOpen: mayChangeRecord })
          : toast(refused)
      }
      className="select-box"
    />
  )
}
