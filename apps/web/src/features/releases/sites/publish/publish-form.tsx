import type { PublishChecks } from '@docket/api-types/publish-checks'
import type { Channel, Site, SiteArtifact } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ChannelApprovals } from '#features/releases/sites/proposals/channel-approvals.tsx'
import { PublishChecklist } from '#features/releases/sites/publish-checks/checklist.tsx'
import {
  describeMeanwhileChanges,
  explainPublishing,
  nameChannel,
  countChecks,
  describePageChange,
} from '#features/releases/sites/site-labels.ts'
import { publishChecksQuery, usePublishExport, siteArtifactsQuery } from '#features/releases/sites/sites.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { ApiError, findErrorAt } from '#lib/api/api-error.ts'
import { isolateText, formatInstant, formatPlural, formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormFailure, Options, SelectField, TextArea } from '#ui/forms/form.tsx'
import { useTypedText } from '#ui/forms/use-draft.ts'
import { Loading, ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

const PublishedChanges = ({ site, publishChecks }: { site: Site; publishChecks: PublishChecks }) => {
  const seesExports = useSeesExports(site)
  const { against, isShown } = publishChecks
  const change = describePageChange(publishChecks.change)
  if (isShown) return <p className="text-sm">This export is live already.</p>
  if (against === null)
    return <p className="text-sm">Nothing is live yet, so readers see every page for the first time.</p>
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="font-medium first-letter:uppercase">
        {change ?? `Compared with release ${formatCount(against.number)}`}
      </span>
      {seesExports && (
        <Link
          to="/exports/$exportId/changes"
          params={{ exportId: publishChecks.exportId }}
          search={{ against: against.exportId }}
          target="_blank"
          className="inline-flex min-h-6 items-center text-accent hover:underline"
        >
          Compare with release {formatCount(against.number)}
          <span className="sr-only"> (opens in a new tab)</span>
        </Link>
      )}
    </p>
  )
}

const PublishChecksView = (props: { site: Site; publishChecks: PublishChecks; children?: ReactNode }) => {
  const { publishChecks, children } = props
  return (
    <div className="grid gap-3">
      <PublishedChanges {...props} />
      <details open={!publishChecks.passed}>
        <summary className="min-h-6 cursor-pointer text-sm font-semibold">
          Checks before publishing ·{' '}
          <span role="status" className={publishChecks.passed ? 'text-done' : 'text-failed'}>
            {countChecks(publishChecks.checks)}
          </span>
        </summary>
        <div className="mt-1.5">
          <PublishChecklist checks={publishChecks.checks} />
        </div>
      </details>
      {children}
    </div>
  )
}

const describeCandidate = ({ exportedAt, pages, domain, shownBy }: SiteArtifact, several: boolean) =>
  [
    formatInstant(exportedAt),
    several && isolateText(domain),
    formatPlural(pages, 'page'),
    shownBy.length > 0 && `in ${shownBy.map((name) => nameChannel({ name })).join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ')

type ArtifactFieldProps = { site: Site; exportId: string; onChoose: (exportId: string) => void }

const ArtifactField = ({ site, exportId, onChoose }: ArtifactFieldProps) => {
  const query = useQuery(siteArtifactsQuery(site.siteId))
  const { data } = query
  if (!data) return <ReadState query={query} waiting={<Skeleton className="h-15 w-full" />} />
  const isListed = data.artifacts.some((one) => one.exportId === exportId)
  return (
    <SelectField label="Export" value={exportId} onChange={({ target }) => onChoose(target.value)}>
      {!isListed && exportId !== '' && <option value={exportId}>The export that you came from</option>}
      <Options of={data.artifacts.map((one) => [one.exportId, describeCandidate(one, site.feeds.length > 1)])} />
    </SelectField>
  )
}

const maxNote = 2000
const maxReason = 1000

type PublishFormProps = {
  site: Site
  channel: Channel
  exportId: string
  onChoose: (exportId: string) => void
  onPublished: (channel: Channel) => void
  onClose: () => void
}

const LoadingChecks = () => (
  <Loading label="Checking before publishing" className="grid gap-2" lines={['h-6 w-64 max-w-full', 'h-44 w-full']} />
)

const explainWait = (publishChecks: PublishChecks | undefined, exportId: string, name: string): string | null => {
  if (publishChecks) return explainPublishing(publishChecks, name)
  return exportId === '' ? 'Docket has saved no export of this site.' : 'The checks are not finished yet.'
}

/** Export, checks, note and the button. Sends the version of the checks on screen, so that the server refuses to publish over unseen changes. */
export const PublishForm = (props: PublishFormProps) => {
  const { site, channel, exportId, onChoose, onPublished, onClose } = props
  const { siteId } = site
  const { channelId } = channel
  const name = nameChannel(channel)
  const [seen] = useState(channel)
  const [note, setNote] = useTypedText(`publish-note-${channelId}`)
  const [reason, setReason] = useTypedText(`publish-override-${channelId}`)
  const [isOverriding, setOverriding] = useState(false)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const paused = usePaused()
  const query = useQuery({ ...publishChecksQuery(siteId, channel, exportId, paused), enabled: exportId !== '' })
  const { data: publishChecks } = query
  const { mutate, isPending, error, reset } = usePublishExport({ siteId, channelId })
  const refused = explainWait(publishChecks, exportId, name)
  const mayOverride = publishChecks?.mayOverride === true && !publishChecks.passed && !publishChecks.isShown
  const overrides = isOverriding && mayOverride
  const meanwhile = describeMeanwhileChanges(seen, channel)
  // Once the changes are known, they explain a conflict.
  const isExplained = meanwhile !== null && error instanceof ApiError && error.code === 'conflict'

  const submit = () => {
    if (!publishChecks || (refused !== null && !overrides)) return
    setReasonMissing(overrides && reason.trim() === '')
    if (overrides && reason.trim() === '') return
    mutate(
      {
        version: publishChecks.version,
        exportId,
        note: note.trim() || null,
        override: overrides ? reason.trim() : null,
      },
      {
        onSuccess: (published) => {
          setNote('')
          setReason('')
          onPublished(published)
        },
      },
    )
  }
  const choose = (next: string) => {
    reset()
    setOverriding(false)
    onChoose(next)
  }
  return (
    <Form onSubmit={submit} busy={isPending} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {meanwhile !== null && (
        <Notice tone="attention" role="alert" title={meanwhile}>
          Your text is still here. The checks below compare with what is live in {name} now.
        </Notice>
      )}
      <ArtifactField site={site} exportId={exportId} onChoose={choose} />
      {!publishChecks && <ReadState query={query} waiting={exportId !== '' && <LoadingChecks />} />}
      {publishChecks && (
        <PublishChecksView site={site} publishChecks={publishChecks}>
          {channel.publishChecks.approvals > 0 && !publishChecks.isShown && (
            <ChannelApprovals {...{ siteId, channel, exportId, note }} proposal={publishChecks.proposal} />
          )}
        </PublishChecksView>
      )}
      <TextArea
        label="Note"
        optional
        prose
        maxLength={maxNote}
        {...bindText(note, setNote)}
        error={findErrorAt(error, 'note')}
        hint="Everyone who sees this site reads it in the history."
      />
      {overrides && (
        <TextArea
          label="Why publish anyway?"
          prose
          required
          maxLength={maxReason}
          {...bindText(reason, setReason)}
          error={findErrorAt(error, 'override') ?? (isReasonMissing && reason.trim() === '' ? 'Say why.' : null)}
          hint="It stays in the history and in the audit."
        />
      )}
      {!isExplained && <FormFailure error={error} fields={['note', 'override']} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="md" onClick={onClose}>
          Cancel
        </Button>
        {mayOverride && !overrides && (
          <Button size="md" onClick={() => setOverriding(true)}>
            Publish anyway and say why
          </Button>
        )}
        {overrides ? (
          <Button type="submit" variant="danger" size="md" busy={isPending}>
            Publish anyway
          </Button>
        ) : (
          <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused} data-autofocus="">
            Publish
          </Button>
        )}
      </div>
    </Form>
  )
}
