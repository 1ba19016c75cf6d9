import { findErrorAt } from '#lib/api/api-error.ts'
import type { NamedConnection } from '#lib/people/named-places.ts'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, Checkbox, FieldError, Options, SelectField, TextArea } from '#ui/forms/form.tsx'
import type { TokenDraft } from './token-form.ts'
import { describeSiteRights, isChosenSite, toggleSite, type TokenSiteChoice } from './token-sites.ts'

type SiteLimitsProps = {
  draft: TokenDraft
  change: (changes: Partial<TokenDraft>) => void
  error: unknown
  sites: readonly TokenSiteChoice[]
}

const box = 'flex min-h-6 max-w-full cursor-pointer items-center gap-2 has-disabled:cursor-default'

const SiteLimits = ({ draft, change, error, sites }: SiteLimitsProps) => {
  const chosen = draft.sites
  const input = (siteId: string, channelId: string | null) => (
    <input
      type="checkbox"
      className="size-4 shrink-0 accent-accent"
      checked={isChosenSite(chosen, { siteId, channelId })}
      disabled={channelId !== null && isChosenSite(chosen, { siteId, channelId: null })}
      onChange={() => change({ sites: toggleSite(chosen, { siteId, channelId }) })}
    />
  )
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">Sites and channels</legend>
      <ul className="max-h-56 divide-y divide-line overflow-auto rounded-md border border-line">
        {sites.map(({ siteId, name, channels }) => (
          <li
            key={siteId}
            className="grid gap-x-4 gap-y-1 px-3 py-2 text-sm sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
          >
            <label className={`${box} font-medium`}>
              {input(siteId, null)}
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </label>
            <div role="group" aria-label={`Channels of ${name}`} className="flex flex-wrap gap-x-4 max-sm:pl-6">
              {channels.map((channel) => (
                <label key={channel.channelId} className={box}>
                  {input(siteId, channel.channelId)}
                  {channel.name}
                </label>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <FieldError>{findErrorAt(error, 'sites')}</FieldError>
      <p className="mt-1 text-xs text-muted" aria-live="polite">
        {chosen.length === 0
          ? 'Choose a site for all of its channels, or single ones. Choose none to hide them all.'
          : describeSiteRights(draft.scope, chosen, sites)}
      </p>
    </fieldset>
  )
}

type FormProps = { draft: TokenDraft; change: (changes: Partial<TokenDraft>) => void; error: unknown }

type ConnectionsProps = {
  connections: readonly NamedConnection[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

const Connections = ({ connections, chosen, onChange }: ConnectionsProps) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">Connections</legend>
    <div className="flex flex-wrap gap-x-5 gap-y-1">
      {connections.map(({ connectionId, name }) => (
        <Checkbox
          key={connectionId}
          label={name}
          checked={chosen.includes(connectionId)}
          onChange={(checked) =>
            onChange(checked ? [...chosen, connectionId] : chosen.filter((one) => one !== connectionId))
          }
        />
      ))}
    </div>
    <p className="mt-1 text-xs text-muted">Choose none to allow all.</p>
  </fieldset>
)

export const Restriction = (
  props: FormProps & { connections: readonly NamedConnection[]; sites: readonly TokenSiteChoice[] },
) => {
  const { draft, change, error, connections, sites } = props
  const { restricted, connectionIds } = draft
  const { text } = bindDraft(draft, change, (name) => findErrorAt(error, name))
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
            {...text('domains')}
          />
          <TextArea label="Projects" hint="One ID per line. Leave empty for none." {...text('projectIds')} />
        </div>
      )}
      {restricted && sites.length > 0 && <SiteLimits {...{ draft, change, error, sites }} />}
    </>
  )
}

const expiries = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['', 'never'],
] as const

export const ExpiryField = ({ draft, change }: Pick<FormProps, 'draft' | 'change'>) => (
  <SelectField
    label="Expires after"
    value={draft.expiresInDays}
    onChange={({ target }) => change({ expiresInDays: target.value })}
  >
    <Options of={expiries} />
  </SelectField>
)
