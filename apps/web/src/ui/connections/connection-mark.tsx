import { useRecordConnection, useConnections } from './use-connections.ts'

const dots = {
  grey: 'bg-mark-grey',
  blue: 'bg-mark-blue',
  green: 'bg-mark-green',
  amber: 'bg-mark-amber',
  red: 'bg-mark-red',
  violet: 'bg-mark-violet',
}

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

type ConnectionMarkProps = { record: { connectionId?: string | undefined }; className?: string }

export const ConnectionMark = ({ record, className = '' }: ConnectionMarkProps) => {
  const connections = useConnections()
  const connection = useRecordConnection(record)
  if (connection === null || (connections?.length ?? 0) < 2) return null
  // Where space is short, its name goes before that of the record; the warning stays.
  const shrinks = connection.production ? 'shrink-0' : 'shrink-99 overflow-hidden'
  return <ConnectionName {...connection} className={`${shrinks} text-xs font-normal text-muted ${className}`} />
}
