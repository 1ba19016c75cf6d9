import { useLocation } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import {
  currentConnections,
  explainNoStart,
  explainOperate,
  explainReadOnly,
  findConnection,
  isActiveConnection,
  parseChoice,
} from '#lib/connections/connections.ts'
import { useRefusal } from '#ui/forms/use-refusal.ts'

type Belonging = { connectionId?: string | undefined }

export const useConnections = () => useSyncExternalStore(currentConnections.subscribe, currentConnections.get)

/** True when no connection can be used at all. False while unknown. */
export const useNoService = (): boolean => useConnections()?.some(isActiveConnection) === false

export const useRecordConnection = ({ connectionId }: Belonging) => findConnection(useConnections() ?? [], connectionId)

/** Connection that the address chooses for the page; `''` for all. */
export const useChosenConnection = (): string => {
  const value = useLocation({ select: ({ search }) => (search as Record<string, unknown>)['connection'] })
  return parseChoice(useConnections(), value)
}

export const useRecordRefusal = (record: Belonging): string | null =>
  explainOperate(useRecordConnection(record), useRefusal('operator'))

export const useReadOnly = (record: Belonging): string | null => explainReadOnly(useRecordConnection(record))

/** Reason why the reader can start nothing here, or with `creates` no agent job; null when they can. */
export const useStartRefusal = (creates = false): string | null =>
  explainNoStart(useConnections(), useRefusal('operator'), creates)
