import type { Person } from '@docket/api-types/session'
import { useState } from 'react'
import { formatInstant } from '#lib/text/format.ts'
import { keepZone } from '#lib/time/zone.ts'
import { SelectField, Options, FormFailure } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { TickingText } from '#ui/live/ticking.tsx'
import { useChangeAccount } from './own-account.queries.ts'

const deviceZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** UTC, the chosen one, and all others that this browser knows. */
const listZones = (chosen: string | null) => [
  ...new Set(['UTC', chosen ?? 'UTC', ...Intl.supportedValuesOf('timeZone')]),
]

export const TimesSection = ({ person }: { person: Person }) => {
  const saved = person.timeZone ?? null
  const [zone, setZone] = useState(saved)
  const { mutate, error } = useChangeAccount()
  const choose = (timeZone: string | null) => {
    setZone(timeZone)
    keepZone(timeZone)
  }
  const change = (timeZone: string | null) => {
    choose(timeZone)
    mutate({ timeZone }, { onError: () => choose(saved) })
  }
  return (
    <Panel
      title="Times"
      lead={
        <>
          It is <TickingText text={(now) => formatInstant(new Date(now).toISOString())} />.
        </>
      }
    >
      <div className="grid max-w-xl gap-4">
        <SelectField label="Time zone" value={zone ?? ''} onChange={({ target }) => change(target.value || null)}>
          <Options
            of={[
              ['', `This device (${deviceZone})`],
              ...listZones(zone).map((name) => [name, name.replaceAll('_', ' ')] as const),
            ]}
          />
        </SelectField>
        <FormFailure error={error} />
      </div>
    </Panel>
  )
}
