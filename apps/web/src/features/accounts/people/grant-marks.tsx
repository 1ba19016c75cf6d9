import type { AddGrant, Grant } from '@docket/api-types/grants'
import { X } from 'lucide-react'
import { isolate } from '#lib/bidi.ts'
import { refusedProps } from '#ui/button.tsx'
import { showReason } from '#ui/overlays/reason.ts'
import { toast, toastFailure } from '#ui/toast.ts'
import { useAddGrant, useRemoveGrant } from './grants.queries.ts'
import { roles } from './roles.ts'

/** A connection, by the name that people gave it. */
export type NamedConnection = { connectionId: string; name: string }

/** “Operator of Staging”. */
const describeGrant = ({ role, connectionId }: Grant, connections: readonly NamedConnection[]): string => {
  const label = roles.find(({ value }) => value === role)?.label ?? role
  if (connectionId === null) return `${label} of everything`
  return `${label} of ${isolate(connections.find((one) => one.connectionId === connectionId)?.name ?? 'a removed connection')}`
}

const toRequest = ({ userId, oidcGroup, role, connectionId }: Grant): AddGrant | null =>
  connectionId === null || (role !== 'viewer' && role !== 'operator')
    ? null
    : { role, connectionId, ...(userId !== null && { userId }), ...(oidcGroup !== null && { oidcGroup }) }

type GrantMarksProps = {
  /** Person or group. */
  name: string
  grants: readonly Grant[]
  connections: readonly NamedConnection[]
  /** Why they may not be taken away, or null. */
  refused?: string | null
}

/** Roles of a person or a group on single connections, each with a button that takes it away. */
export const GrantMarks = ({ name, grants, connections, refused = null }: GrantMarksProps) => {
  const taking = useRemoveGrant()
  const giving = useAddGrant()
  if (grants.length === 0) return null
  const take = (button: HTMLElement, grant: Grant) => {
    const request = toRequest(grant)
    if (refused !== null) return showReason(button, refused)
    if (taking.isPending) return
    // Reports through the promise, because the mark is gone when the response arrives.
    void taking.mutateAsync(grant).then(
      () =>
        toast(`${isolate(name)} is no longer ${describeGrant(grant, connections)}.`, {
          ...(request && {
            action: { label: 'Undo', run: () => void giving.mutateAsync(request).catch(toastFailure()) },
          }),
        }),
      toastFailure(),
    )
  }
  return (
    <ul aria-label={`Roles of ${name} on connections`} className="mt-1.5 flex flex-wrap gap-1.5">
      {grants.map((grant) => {
        const text = describeGrant(grant, connections)
        return (
          <li
            key={grant.grantId}
            className="flex max-w-full items-center rounded-md border border-line bg-sunken pl-2 text-xs"
          >
            <span className="min-w-0 truncate" title={text}>
              {text}
            </span>
            <button
              type="button"
              aria-label={`Remove: ${text}, ${name}`}
              {...refusedProps(refused)}
              aria-disabled={refused !== null || undefined}
              onClick={(event) => take(event.currentTarget, grant)}
              className="grid size-6 shrink-0 place-items-center rounded-r-md text-muted hover:bg-hover hover:text-text data-refused:cursor-not-allowed data-refused:opacity-60"
            >
              <X className="size-3.5" aria-hidden="true" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
