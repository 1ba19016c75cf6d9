import type { Site } from '@docket/api-types/sites'
import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { toast } from '#ui/messages/toast.ts'
import { useChangeSite } from './settings.queries.ts'
import { isLabel, moveAddresses } from './site-addresses.ts'

type SiteFormProps = { site: Site; docket: string; refused: string | null }

const MovedAddresses = ({ site, label, docket }: { site: Site; label: string; docket: string }) => (
  <Notice tone="attention" role="status" title="These addresses stop working at once">
    <ul className="mt-1 grid gap-1.5">
      {moveAddresses(site, label, docket).map(({ from, to }) => (
        <li key={from} className="wrap-anywhere">
          <s>{from}</s> <span className="sr-only">becomes</span>
          <span aria-hidden="true">→</span> <span className="text-text">{to}</span>
        </li>
      ))}
    </ul>
    <p className="mt-1.5">Links, scripts and bookmarks that use them must change.</p>
  </Notice>
)

export const SiteForm = ({ site, docket, refused }: SiteFormProps) => {
  const { mutate, error, isPending } = useChangeSite(site.siteId)
  const [typed, setTyped] = useState<{ name?: string; label?: string }>({})
  const name = typed.name ?? site.name
  const label = typed.label ?? site.label
  const wanted = label.trim().toLowerCase()
  const moves = wanted !== site.label
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || refused !== null) return
    const changes = { ...(name.trim() !== site.name && { name }), ...(moves && { label: wanted }) }
    mutate(changes, {
      onSuccess: (saved) => {
        toast(`Saved ${isolate(saved.name)}.`, { tone: 'done' })
        setTyped({})
      },
    })
  }
  const isSame = name.trim() === site.name && !moves
  return (
    <Panel title="Name and addresses">
      <form onSubmit={submit} noValidate className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="Name"
            value={name}
            onChange={({ target }) => setTyped({ ...typed, name: target.value })}
            error={errorAt(error, 'name')}
          />
          <TextField
            label="Label"
            autoCapitalize="none"
            value={label}
            onChange={({ target }) => setTyped({ ...typed, label: target.value })}
            error={errorAt(error, 'label')}
            hint="The first part of its hostname, and its name in the addresses of bundles."
          />
        </div>
        {moves && isLabel(wanted) && <MovedAddresses site={site} label={wanted} docket={docket} />}
        <FormFailure error={error} fields={['name', 'label']} />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-end"
          busy={isPending}
          refused={refused}
          disabled={refused === null && isSame}
        >
          {moves ? 'Save and change addresses' : 'Save'}
        </Button>
      </form>
    </Panel>
  )
}
