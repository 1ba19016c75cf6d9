import { useId } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { Choices } from '#ui/forms/choices.tsx'
import { TextArea } from '#ui/forms/field.tsx'
import { SiteLimits } from './site-limits.tsx'
import type { TokenDraft } from './token-form.ts'
import type { TokenSiteChoice } from './token-sites.ts'

type FormProps = { draft: TokenDraft; change: (changes: Partial<TokenDraft>) => void; error: unknown }

export type NamedConnection = { connectionId: string; name: string }

const Connections = ({
  connections,
  chosen,
  onChange,
}: {
  connections: readonly NamedConnection[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">Connections</legend>
    <div className="flex flex-wrap gap-x-5 gap-y-1">
      {connections.map(({ connectionId, name }) => (
        <label key={connectionId} className="flex min-h-8 max-w-full cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={chosen.includes(connectionId)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, connectionId] : chosen.filter((one) => one !== connectionId))
            }
          />
          <span className="min-w-0 wrap-anywhere">{name}</span>
        </label>
      ))}
    </div>
    <p className="mt-1 text-xs text-muted">Choose none to allow all.</p>
  </fieldset>
)

export const Restriction = ({
  draft,
  change,
  error,
  connections,
  sites,
}: FormProps & { connections: readonly NamedConnection[]; sites: readonly TokenSiteChoice[] }) => {
  const { restricted, domains, projectIds, connectionIds } = draft
  const hasSeveral = connections.length > 1
  return (
    <>
      <Choices
        legend="Access"
        options={[
          {
            value: 'all',
            label: 'Everything',
            hint: hasSeveral ? 'every connection, domain, project and site' : 'every domain, project and site',
          },
          { value: 'some', label: 'Only some', hint: 'hides everything else' },
        ]}
        value={restricted ? 'some' : 'all'}
        onChange={(reach) => change({ restricted: reach === 'some' })}
      />
      {restricted && hasSeveral && (
        <Connections
          connections={connections}
          chosen={connectionIds}
          onChange={(chosen) => change({ connectionIds: chosen })}
        />
      )}
      {restricted && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextArea
            label="Domains"
            hint="One domain per line, exact match. Leave empty for none."
            value={domains}
            onChange={({ target }) => change({ domains: target.value })}
            error={errorAt(error, 'domains')}
          />
          <TextArea
            label="Projects"
            hint="One ID per line. Leave empty for none."
            value={projectIds}
            onChange={({ target }) => change({ projectIds: target.value })}
            error={errorAt(error, 'projectIds')}
          />
        </div>
      )}
      {restricted && sites.length > 0 && <SiteLimits {...{ draft, change, error, sites }} />}
    </>
  )
}

export const Expiry = ({ draft, change }: Pick<FormProps, 'draft' | 'change'>) => {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        Expires after
      </label>
      <select
        id={id}
        value={draft.expiresInDays}
        onChange={({ target }) => change({ expiresInDays: target.value })}
        className="h-9 w-full appearance-auto rounded-md border border-line-strong bg-surface px-2 text-base sm:w-auto"
      >
        <option value="7">7 days</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">1 year</option>
        <option value="">never</option>
      </select>
    </div>
  )
}
