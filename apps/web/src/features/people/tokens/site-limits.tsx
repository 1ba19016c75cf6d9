import { errorAt } from '#lib/api/api-error.ts'
import type { TokenDraft } from './token-form.ts'
import { describeSiteRights, isChosen, toggleSite, type TokenSiteChoice } from './token-sites.ts'

type SiteLimitsProps = {
  draft: TokenDraft
  change: (changes: Partial<TokenDraft>) => void
  error: unknown
  sites: readonly TokenSiteChoice[]
}

const box = 'flex min-h-6 max-w-full cursor-pointer items-center gap-2 has-disabled:cursor-default'

export const SiteLimits = ({ draft, change, error, sites }: SiteLimitsProps) => {
  const chosen = draft.sites
  const mistake = errorAt(error, 'sites')
  const input = (siteId: string, channelId: string | null) => (
    <input
      type="checkbox"
      className="size-4 shrink-0 accent-accent"
      checked={isChosen(chosen, { siteId, channelId })}
      disabled={channelId !== null && isChosen(chosen, { siteId, channelId: null })}
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
      {mistake && (
        <p role="alert" className="mt-1 text-sm text-failed wrap-anywhere">
          {mistake}
        </p>
      )}
      <p className="mt-1 text-xs text-muted" aria-live="polite">
        {chosen.length === 0
          ? 'Choose a site for all of its channels, or single ones. Choose none to hide them all.'
          : describeSiteRights(draft.scope, chosen, sites)}
      </p>
    </fieldset>
  )
}
