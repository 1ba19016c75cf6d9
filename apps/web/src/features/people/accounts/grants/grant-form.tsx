import type { User } from '@docket/api-types/accounts'
import { grantRoles, onlyReads, type GrantRole } from '@docket/api-types/roles'
import { useState } from 'react'
import { labelRole } from '#features/people/accounts/people/roles.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { aRole } from '#lib/people/permissions.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormFailure, Options, SelectField, TextField } from '#ui/forms/form.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useAddGrant } from './grants.queries.ts'
import { listPlaces, type Place, type Places } from './places.ts'

// No user id looks like this.
const aGroup = 'group'

const titles = { connection: 'Connections', site: 'Sites and channels' } as const

const PlaceOptions = ({ kind, places }: { kind: Place['kind']; places: readonly Place[] }) =>
  places.some((place) => place.kind === kind) && (
    <optgroup label={titles[kind]}>
      <Options
        of={places.flatMap((place, index) => (place.kind === kind ? [[`${index}`, place.name] as const] : []))}
      />
    </optgroup>
  )

type GrantFormProps = { people: readonly User[]; places: Places }

export const GrantForm = ({ people, places: offered }: GrantFormProps) => {
  const session = useSession().data
  const others = people.filter(({ userId, role }) => userId !== session?.person?.userId && !onlyReads(role))
  const hasGroups = typeof session?.methods.oidc === 'string'
  const [chosen, setChosen] = useState('')
  const [group, setGroup] = useState('')
  const [role, setRole] = useState<GrantRole>('operator')
  const [placeIndex, setPlace] = useState('0')
  const { mutate, error, isPending } = useAddGrant()
  const places = listPlaces(offered)
  const place = places[Number(placeIndex)] ?? places[0]
  const who = chosen || (others[0]?.userId ?? (hasGroups ? aGroup : ''))
  const name = who === aGroup ? group.trim() : (others.find(({ userId }) => userId === who)?.name ?? '')
  const submit = () => {
    if (!place) return
    const onSuccess = () =>
      toast(`${isolateText(name)} is now ${aRole[role]} of ${isolateText(place.name)}.`, { tone: 'done' })
    mutate({ ...(who === aGroup ? { oidcGroup: group } : { userId: who }), role, ...place.on }, { onSuccess })
  }
  if (who === '' || places.length === 0) return null
  return (
    <Form onSubmit={submit} busy={isPending} className="grid gap-4 p-4 sm:grid-cols-[repeat(3,minmax(0,1fr))_auto]">
      <h3 className="text-sm font-semibold sm:col-span-4">
        Assign a role {offered.sites.length === 0 ? 'on a connection' : 'on a connection, site or channel'}
      </h3>
      <SelectField label="Who" {...bindText(who, setChosen)}>
        <Options of={others.map((user) => [user.userId, `${isolateText(user.name)} (${user.email})`])} />
        {hasGroups && <option value={aGroup}>A group of {session?.methods.oidc}…</option>}
      </SelectField>
      <SelectField label="Role" value={role} onChange={({ target }) => setRole(target.value as GrantRole)}>
        <Options of={grantRoles.map((one) => [one, labelRole(one)])} />
      </SelectField>
      <SelectField
        label="On"
        value={place ? places.indexOf(place) : 0}
        onChange={({ target }) => setPlace(target.value)}
      >
        <PlaceOptions kind="connection" places={places} />
        <PlaceOptions kind="site" places={places} />
      </SelectField>
      {who === aGroup && (
        <div className="sm:order-last sm:col-span-4 sm:max-w-md">
          <TextField
            label="Group"
            autoCapitalize="none"
            {...bindText(group, setGroup)}
            error={findErrorAt(error, 'oidcGroup')}
            hint="The name from single sign-on. Membership updates at each sign-in."
          />
        </div>
      )}
      <Button type="submit" variant="primary" size="md" busy={isPending} className="self-end justify-self-end">
        Assign role
      </Button>
      <p className="text-xs text-muted sm:order-last sm:col-span-4">
        Auditors read everything and change nothing, so they have no other roles.
        {offered.sites.length > 0 &&
          ' An operator of a site or channel publishes and rolls back there, even if it’s protected. A viewer sees its releases.'}
      </p>
      <div className="empty:hidden sm:order-last sm:col-span-4">
        <FormFailure error={error} fields={['oidcGroup']} />
      </div>
    </Form>
  )
}
