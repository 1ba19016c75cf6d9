import type { Channel, ChannelAccess } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { errorAt } from '#lib/api/api-error.ts'
import { isolate } from '#lib/text/bidi.ts'
import { Checkbox } from '#ui/forms/checkbox.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { ChannelApprovals } from '#features/releases/sites/proposals/channel-approvals.tsx'
import { proposalsQuery } from '#features/releases/sites/proposals/proposals.queries.ts'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Notice } from '#ui/messages/notice.tsx'
import type { ChannelDraft } from './channel-draft.ts'

type AccessFieldsProps = {
  siteId: string
  channel: Channel
  draft: ChannelDraft
  onChange: (changes: Partial<ChannelDraft>) => void
  error: unknown
}

const options: readonly { value: ChannelAccess; label: string; hint: string }[] = [
  { value: 'private', label: 'Private', hint: 'it has no address' },
  { value: 'signed_in', label: 'Signed-in readers', hint: 'people who are signed in and may see this site' },
  { value: 'public', label: 'Public', hint: 'everyone who can reach this Docket' },
]

/** True when the draft opens a channel to everyone. */
export const opensToAll = (draft: ChannelDraft, channel: Channel): boolean =>
  draft.access === 'public' && channel.access !== 'public'

const usePublicProposal = (channelId: string) =>
  useQuery(proposalsQuery).data?.proposals.find((one) => one.channelId === channelId && one.exportId === null) ?? null

/** Reason why the reader may not save what the draft opens; null when they may. */
export const useOpeningRefusal = (draft: ChannelDraft, channel: Channel): string | null => {
  const isAdmin = useRefusal('admin') === null
  const given = usePublicProposal(channel.channelId)?.approvals.length ?? 0
  if (!opensToAll(draft, channel)) return null
  if (!isAdmin) return 'Only admins make a channel public. Ask an admin.'
  return given < channel.gate.approvals ? 'Others must approve first that everybody can read this channel.' : null
}

const PublicWarning = ({ channel }: { channel: Channel }) => (
  <Notice tone="attention" role="status" title={`Everyone will be able to read ${isolate(channel.name)}`}>
    They need no account, for what it shows now and for each release after it. They can also download its bundle.
    {channel.name === 'production' && ' Search engines may list it.'}
  </Notice>
)

export const AccessFields = ({ siteId, channel, draft, onChange, error }: AccessFieldsProps) => {
  const isAdmin = useRefusal('admin') === null
  const proposal = usePublicProposal(channel.channelId)
  return (
    <>
      <Choices
        legend="Who can read it"
        options={options}
        value={draft.access}
        onChange={(access) => onChange({ access })}
      />
      {opensToAll(draft, channel) && <PublicWarning channel={channel} />}
      {opensToAll(draft, channel) && channel.gate.approvals > 0 && (
        <ChannelApprovals {...{ siteId, channel, proposal }} exportId={null} />
      )}
      {isAdmin && (
        <TextField
          label="Hostname"
          optional
          inputMode="url"
          autoCapitalize="none"
          placeholder="docs.example.com"
          value={draft.hostname}
          onChange={({ target }) => onChange({ hostname: target.value })}
          error={errorAt(error, 'hostname')}
          hint="A name of its own that leads to this Docket. Leave empty for the one made of the site’s label."
        />
      )}
      <Checkbox
        label="Access log"
        hint="Writes each request of readers to Docket’s log, where LOG_LEVEL is info or lower."
        checked={draft.accessLog}
        onChange={(accessLog) => onChange({ accessLog })}
      />
    </>
  )
}
