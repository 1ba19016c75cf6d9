import type { Channel, ChannelAccess } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChannelApprovals } from '#features/releases/sites/proposals/channel-approvals.tsx'
import { proposalsQuery } from '#features/releases/sites/proposals/proposals.queries.ts'
import { ApiError, toMessage, findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, TextField, Checkbox, FormActions, FormFailure, Form } from '#ui/forms/form.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { Dialog, DeleteDialog } from '#ui/overlays/dialog.tsx'
import { dropEmptyHeaders, rebaseDraft, toChannelChange, toChannelDraft, type ChannelDraft } from './channel-draft.ts'
import { HeaderFields } from './header-fields.tsx'
import { PublishCheckFields } from './publish-check-fields.tsx'
import { useChangeChannel, useDeleteChannel } from './settings.queries.ts'

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

const opensToMoreReaders = (draft: ChannelDraft, channel: Channel): boolean =>
  draft.access === 'public' && channel.access !== 'public'

const usePublicProposal = (channelId: string) =>
  useQuery(proposalsQuery).data?.proposals.find((one) => one.channelId === channelId && one.exportId === null) ?? null

const useOpeningRefusal = (draft: ChannelDraft, channel: Channel): string | null => {
  const isAdmin = useRefusal('admin') === null
  const given = usePublicProposal(channel.channelId)?.approvals.length ?? 0
  if (!opensToMoreReaders(draft, channel)) return null
  if (!isAdmin) return 'Only admins make a channel public. Ask an admin.'
  return given < channel.publishChecks.approvals
    ? 'Others must approve first that everybody can read this channel.'
    : null
}

const PublicWarning = ({ channel }: { channel: Channel }) => (
  <Notice tone="attention" role="status" title={`Everyone will be able to read ${isolateText(channel.name)}`}>
    They need no account, for what it shows now and for each release after it. They can also download its bundle.
    {channel.name === 'production' && ' Search engines may list it.'}
  </Notice>
)

const AccessFields = ({ siteId, channel, draft, onChange, error }: AccessFieldsProps) => {
  const isAdmin = useRefusal('admin') === null
  const proposal = usePublicProposal(channel.channelId)
  const { text, flag } = bindDraft(draft, onChange, (name) => findErrorAt(error, name))
  return (
    <>
      <Choices
        legend="Who can read it"
        options={options}
        value={draft.access}
        onChange={(access) => onChange({ access })}
      />
      {opensToMoreReaders(draft, channel) && <PublicWarning channel={channel} />}
      {opensToMoreReaders(draft, channel) && channel.publishChecks.approvals > 0 && (
        <ChannelApprovals {...{ siteId, channel, proposal }} exportId={null} />
      )}
      {isAdmin && (
        <TextField
          label="Hostname"
          optional
          inputMode="url"
          autoCapitalize="none"
          placeholder="docs.example.com"
          {...text('hostname')}
          hint="A name of its own that leads to this Docket. Leave empty for the one made of the site’s label."
        />
      )}
      <Checkbox
        label="Access log"
        hint="Writes each request of readers to Docket’s log, where LOG_LEVEL is info or lower."
        {...flag('accessLog')}
      />
    </>
  )
}

type DeleteChannelProps = { siteId: string; channel: Channel; onClose: () => void }

const DeleteChannelDialog = ({ siteId, channel, onClose }: DeleteChannelProps) => {
  const { channelId, name, address } = channel
  const deletion = useDeleteChannel({ siteId, channelId })
  return (
    <DeleteDialog
      title={`Delete the channel ${isolateText(name)}?`}
      action="Delete channel"
      failure={`Could not delete ${isolateText(name)}`}
      deletion={deletion}
      onDelete={() => deletion.mutateAsync()}
      message={`Deleted the channel ${isolateText(name)}.`}
      onClose={onClose}
    >
      <p className="text-muted">
        {address !== null && (
          <>
            <span className="wrap-anywhere">{address}</span> stops working.{' '}
          </>
        )}
        Its history, targets and roles go with it, and API tokens lose it. The bundles of its releases stay in Docket
        until retention removes them. You can’t undo this.
      </p>
    </DeleteDialog>
  )
}

type ChannelSettingsProps = {
  siteId: string
  channel: Channel
  refused: string | null
  onClose: () => void
}

const fields = ['hostname', 'headers', 'publishChecks']
const isConflictError = (error: unknown) =>
  error instanceof ApiError && error.code === 'conflict' && (error.field === null || error.field === 'version')
const isSameDraft = (one: Channel, other: Channel) =>
  JSON.stringify(toChannelDraft(one)) === JSON.stringify(toChannelDraft(other))

/** Typed values and the settings that they started from. Settings saved by another user do not replace typed values. */
const useChannelDraft = (channel: Channel, conflicted: boolean) => {
  const [form, setForm] = useState({ draft: toChannelDraft(channel), before: channel })
  // Publishing also creates a newer version.
  if (channel.version !== form.before.version && (conflicted || isSameDraft(channel, form.before)))
    setForm({ draft: rebaseDraft(form.draft, form.before, channel), before: channel })
  const change = (changes: Partial<ChannelDraft>) =>
    setForm((current) => ({ ...current, draft: { ...current.draft, ...changes } }))
  return { ...form, change }
}

const ChannelForm = ({
  siteId,
  channel,
  refused,
  onClose,
  onDelete,
}: ChannelSettingsProps & { onDelete: () => void }) => {
  const { mutate, reset, error: failure, isPending } = useChangeChannel({ siteId, channelId: channel.channelId })
  const [mistake, setMistake] = useState<ApiError | null>(null)
  const conflicted = isConflictError(failure)
  const { draft, before, change } = useChannelDraft(channel, conflicted)
  const openingRefusal = useOpeningRefusal(draft, before)
  const notSaved = refused ?? openingRefusal
  const error = mistake ?? failure
  const submit = () => {
    if (notSaved !== null) return
    const whole = dropEmptyHeaders(draft)
    change(whole)
    const request = toChannelChange(whole, before)
    setMistake(request instanceof ApiError ? request : null)
    if (request instanceof ApiError) reset()
    else if (request === null) onClose()
    else mutate(request, { onSuccess: toastDone(`Saved ${isolateText(channel.name)}.`, onClose) })
  }
  const isOwn = channel.name !== 'production' && channel.name !== 'latest'
  return (
    <Form onSubmit={submit} busy={isPending} error={error} className="grid gap-5">
      <AccessFields siteId={siteId} channel={before} draft={draft} onChange={change} error={error} />
      <HeaderFields {...draft} old={before.oldHeaders} onChange={(headers) => change({ headers })} error={error} />
      <Checkbox
        label="Protected"
        hint="Only admins, and people with a role on this site or channel, publish here."
        checked={draft.isProtected}
        onChange={(isProtected) => change({ isProtected })}
      />
      {!channel.followsExports && (
        <PublishCheckFields
          publishChecks={draft.publishChecks}
          onChange={(changes) => change({ publishChecks: { ...draft.publishChecks, ...changes } })}
          error={error}
        />
      )}
      {conflicted ? (
        <Notice tone="attention" role="alert" title={toMessage(failure)}>
          What you typed is still here, and what you left alone shows the settings as they are now. Save again to keep
          yours.
        </Notice>
      ) : (
        <FormFailure error={error} fields={fields} />
      )}
      <FormActions
        submit={opensToMoreReaders(draft, before) ? 'Save and make public' : 'Save'}
        busy={isPending}
        refused={notSaved}
        onCancel={onClose}
      >
        {isOwn && (
          <Button variant="danger" className="mr-auto" refused={refused} onClick={onDelete}>
            Delete channel…
          </Button>
        )}
      </FormActions>
    </Form>
  )
}

export const ChannelSettingsDialog = (props: ChannelSettingsProps) => {
  const [deleting, setDeleting] = useState(false)
  const { siteId, channel, onClose } = props
  if (deleting) return <DeleteChannelDialog siteId={siteId} channel={channel} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title={`Settings of ${isolateText(channel.name)}`} wide>
      <ChannelForm {...props} onDelete={() => setDeleting(true)} />
    </Dialog>
  )
}
