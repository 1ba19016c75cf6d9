import type { Site, SiteFeed } from '@docket/api-types/sites'
import { useState } from 'react'
import { isolateText, isolateDomain } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormActions, FormFailure, Options, SelectField } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { DeleteDialog, Dialog } from '#ui/overlays/dialog.tsx'
import { useJoinSite, useSeparateSite } from './settings.queries.ts'

export type NamedConnection = { connectionId: string; name: string }

type FeedsPanelProps = {
  site: Site
  sites: readonly Site[]
  connections: readonly NamedConnection[]
  refused: string | null
}

const JoinForm = ({ site, others, onClose }: { site: Site; others: readonly Site[]; onClose: () => void }) => {
  const { mutate, error, isPending } = useJoinSite(site.siteId)
  const [chosen, setChosen] = useState('')
  const [asked, setAsked] = useState(false)
  const other = others.find(({ siteId }) => siteId === chosen)
  const submit = () => {
    setAsked(true)
    if (isPending || !other) return
    mutate(other.siteId, {
      onSuccess: toastDone(`${isolateText(other.name)} feeds ${isolateText(site.name)} now.`, onClose),
    })
  }
  return (
    <Form onSubmit={submit} className="grid gap-4">
      <SelectField
        label="Site to merge with this one"
        {...bindText(chosen, setChosen)}
        error={asked && !other ? 'Choose a site.' : null}
      >
        <option value="">Choose…</option>
        <Options of={others.map(({ siteId, name, label }) => [siteId, `${name} (${label})`])} />
      </SelectField>
      <div className="grid gap-2 text-sm text-muted">
        <p>
          Its exports, with their findings and what people accepted, belong to <bdi>{site.name}</bdi> from then on. Any
          of them can be published here, and latest follows them too.
        </p>
        <p>
          It can’t show a release to readers itself, because its addresses stop. Roles and API tokens for it count again
          once you separate it.
        </p>
      </div>
      <FormFailure error={error} />
      <FormActions submit="Merge sites" busy={isPending} onCancel={onClose} />
    </Form>
  )
}

const SeparateDialog = ({ site, feed, onClose }: { site: Site; feed: SiteFeed; onClose: () => void }) => {
  const separation = useSeparateSite(site.siteId)
  const domain = isolateDomain(feed.domain)
  return (
    <DeleteDialog
      title={`Separate ${domain}?`}
      action="Separate"
      variant="primary"
      deletion={separation}
      onDelete={() => separation.mutateAsync(feed)}
      message={`${domain} is a site of its own again.`}
      onClose={onClose}
    >
      <p className="text-muted">
        It becomes a site of its own again, with its exports, their findings and what people accepted. A channel of{' '}
        <bdi>{site.name}</bdi> that shows one of these exports must show another one first, and can’t roll back to them
        later.
      </p>
    </DeleteDialog>
  )
}

export const FeedsPanel = ({ site, sites, connections, refused }: FeedsPanelProps) => {
  const [joining, setJoining] = useState(false)
  const [leaving, setLeaving] = useState<SiteFeed | null>(null)
  const others = sites.filter(({ siteId, mayChange }) => siteId !== site.siteId && mayChange)
  const findName = (id: string) => connections.find(({ connectionId }) => connectionId === id)?.name
  return (
    <Panel
      title="Sources"
      action={
        <Button
          refused={refused ?? (others.length === 0 ? 'There is no other site that you can change.' : null)}
          onClick={() => setJoining(true)}
        >
          Merge with another site…
        </Button>
      }
    >
      <ul className="divide-y divide-line">
        {site.feeds.map((feed, index) => (
          <li
            key={`${feed.connectionId} ${feed.domain}`}
            className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-sm"
          >
            <span className="min-w-0 wrap-anywhere">
              <bdi className="font-medium">{feed.domain}</bdi>
              {connections.length > 1 && findName(feed.connectionId) && (
                <span className="text-muted"> on {findName(feed.connectionId)}</span>
              )}
            </span>
            {index > 0 && (
              <Button refused={refused} onClick={() => setLeaving(feed)}>
                Separate…<span className="sr-only"> {feed.domain}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {joining && (
        <Dialog onClose={() => setJoining(false)} title="Merge with another site">
          <JoinForm site={site} others={others} onClose={() => setJoining(false)} />
        </Dialog>
      )}
      {leaving && <SeparateDialog site={site} feed={leaving} onClose={() => setLeaving(null)} />}
    </Panel>
  )
}
