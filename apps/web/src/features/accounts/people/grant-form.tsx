import type { User } from '@docket/api-types/accounts'
import { useId, useState, type ReactNode, type SubmitEvent } from 'react'
import { useSession } from '#features/accounts/session.queries.ts'
import { errorAt } from '#lib/api-error.ts'
import { isolate } from '#lib/bidi.ts'
import { aRole } from '#lib/permissions.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { toast } from '#ui/toast.ts'
import type { NamedConnection } from './grant-marks.tsx'
import { useAddGrant } from './grants.queries.ts'

// No id of a person looks like this.
const aGroup = 'group'

type SelectProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

const Select = ({ label, value, onChange, children }: SelectProps) => {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="h-9 w-full appearance-auto rounded-md border border-line-strong bg-surface px-2 text-base"
      >
        {children}
      </select>
    </div>
  )
}

/** Gives a person, or a group of the single sign-on, a role on a connection. */
export const GrantForm = ({
  people,
  connections,
}: {
  people: readonly User[]
  connections: readonly NamedConnection[]
}) => {
  const session = useSession().data
  const others = people.filter(({ userId, role }) => userId !== session?.person?.userId && role !== 'auditor')
  const hasGroups = typeof session?.methods.oidc === 'string'
  const [chosen, setChosen] = useState('')
  const [group, setGroup] = useState('')
  const [role, setRole] = useState<'viewer' | 'operator'>('operator')
  const [chosenConnection, setConnection] = useState('')
  const { mutate, error, isPending } = useAddGrant()
  const who = chosen || (others[0]?.userId ?? (hasGroups ? aGroup : ''))
  const connectionId = chosenConnection || (connections[0]?.connectionId ?? '')
  const name = who === aGroup ? group.trim() : (others.find(({ userId }) => userId === who)?.name ?? '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending) return
    const place = connections.find((one) => one.connectionId === connectionId)?.name ?? ''
    const subject = who === aGroup ? { oidcGroup: group } : { userId: who }
    mutate(
      { ...subject, role, connectionId },
      { onSuccess: () => toast(`${isolate(name)} is now ${aRole[role]} of ${isolate(place)}.`, { tone: 'done' }) },
    )
  }
  if (who === '' || connections.length === 0) return null
  return (
    <form onSubmit={submit} noValidate className="grid gap-4 p-4 sm:grid-cols-[repeat(3,minmax(0,1fr))_auto]">
      <h3 className="text-sm font-semibold sm:col-span-4">Assign a role on a connection</h3>
      <Select label="Who" value={who} onChange={setChosen}>
        {others.map((user) => (
          <option key={user.userId} value={user.userId}>
            {`${isolate(user.name)} (${user.email})`}
          </option>
        ))}
        {hasGroups && <option value={aGroup}>A group of {session?.methods.oidc}…</option>}
      </Select>
      <Select label="Role" value={role} onChange={(value) => setRole(value === 'viewer' ? 'viewer' : 'operator')}>
        <option value="viewer">Viewer</option>
        <option value="operator">Operator</option>
      </Select>
      <Select label="Connection" value={connectionId} onChange={setConnection}>
        {connections.map((one) => (
          <option key={one.connectionId} value={one.connectionId}>
            {one.name}
          </option>
        ))}
      </Select>
      {who === aGroup && (
        <div className="sm:order-last sm:col-span-4 sm:max-w-md">
          <TextField
            label="Group"
            autoCapitalize="none"
            value={group}
            onChange={({ target }) => setGroup(target.value)}
            error={errorAt(error, 'oidcGroup')}
            hint="The name from single sign-on. Membership updates at each sign-in."
          />
        </div>
      )}
      <Button type="submit" variant="primary" size="md" busy={isPending} className="self-end justify-self-end">
        Assign role
      </Button>
      <p className="text-xs text-muted sm:order-last sm:col-span-4">
        Auditors read everything and change nothing, so they have no roles on connections.
      </p>
      <div className="empty:hidden sm:order-last sm:col-span-4">
        <FormFailure error={error} fields={['oidcGroup']} />
      </div>
    </form>
  )
}
