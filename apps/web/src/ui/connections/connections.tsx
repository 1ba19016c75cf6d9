import { useLocation, useNavigate } from '@tanstack/react-router'
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

const dots = {
  grey: 'bg-mark-grey',
  blue: 'bg-mark-blue',
  green: 'bg-mark-green',
  amber: 'bg-mark-amber',
  red: 'bg-mark-red',
  violet: 'bg-mark-violet',
}

/** A record of a connection, or of none that is known. */
export type Belonging = { connectionId?: string | undefined }

type Mark = { name: string; colour: keyof typeof dots | null; production: boolean }

export const ConnectionDot = ({ colour }: Pick<Mark, 'colour'>) => (
  <span
    aria-hidden="true"
    className={`inline-block size-2 shrink-0 rounded-full forced-colors:border ${colour === null ? 'border-[1.5px] border-line-strong' : dots[colour]}`}
  />
)

const badge = 'shrink-0 rounded-sm border border-attention/50 bg-attention-soft px-1 text-attention'

export const ProductionBadge = () => (
  <span className={`${badge} text-[0.6875rem] leading-4 font-medium`}>Production</span>
)

/** Dot, name and badge of a connection. A name that equals the badge's word is shown in the badge. */
export const ConnectionName = ({ name, colour, production, className = '' }: Mark & { className?: string }) => (
  <span data-mark="" className={`inline-flex max-w-full min-w-0 items-center gap-1.5 ${className}`}>
    <ConnectionDot colour={colour} />
    {production && name === 'Production' ? (
      <span className={`${badge} leading-tight`}>{name}</span>
    ) : (
      <>
        <bdi className="min-w-0 truncate" title={name}>
          {name}
        </bdi>
        {production && <ProductionBadge />}
      </>
    )}
  </span>
)

export const ConnectionMark = ({ record, className = '' }: { record: Belonging; className?: string }) => {
  const connections = useConnections()
  const connection = useRecordConnection(record)
  if (connection === null || (connections?.length ?? 0) < 2) return null
  // Where space is short, its name goes before that of the record; the warning stays.
  const shrinks = connection.production ? 'shrink-0' : 'shrink-99 overflow-hidden'
  return <ConnectionName {...connection} className={`${shrinks} text-xs font-normal text-muted ${className}`} />
}

export const useConnections = () => useSyncExternalStore(currentConnections.subscribe, currentConnections.get)

/** True when no connection can be used at all. False while unknown. */
export const useNoService = (): boolean => useConnections()?.some(isActiveConnection) === false

export const useRecordConnection = ({ connectionId }: Belonging) => findConnection(useConnections() ?? [], connectionId)

/** Connection that the address chooses for the page; `''` for all. */
export const useChosenConnection = (): string => {
  const value = useLocation({ select: ({ search }) => (search as Record<string, unknown>)['connection'] })
  return parseChoice(useConnections(), value)
}

/** Chooses the connection of the page in its address; `''` for all. */
export const useChooseConnection = () => {
  const navigate = useNavigate()
  return (connectionId: string) =>
    navigate({
      to: '.',
      // Every page has this parameter beside its own.
      search: ((search: object) => ({ ...search, connection: connectionId || undefined })) as never,
    })
}

export const useRecordRefusal = (record: Belonging): string | null =>
  explainOperate(useRecordConnection(record), useRefusal('operator'))

export const useReadOnly = (record: Belonging): string | null => explainReadOnly(useRecordConnection(record))

/** Reason why the reader can start nothing here, or with `creates` no agent job; null when they can. */
export const useStartRefusal = (creates = false): string | null =>
  explainNoStart(useConnections(), useRefusal('operator'), creates)
