import type { Site } from '@docket/api-types/sites'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { accessLabels, nameChannel } from '#features/releases/sites/site-labels.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft, bindText, Form, FormFailure, Options, SelectField, TextField } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast, toastDone } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { ChannelSettingsDialog } from './channel-settings.tsx'
import { FeedsPanel, type NamedConnection } from './feeds-panel.tsx'
import { RemoveSite } from './remove-site.tsx'
import { useAddChannel, useChangeSite } from './settings.queries.ts'
import { isValidLabel, moveAddresses } from './site-addresses.ts'

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

const SiteForm = ({ site, docket, refused }: SiteFormProps) => {
  const { mutate, error, isPending } = useChangeSite(site.siteId)
  const [typed, setTyped] = useState<Partial<Pick<Site, 'name' | 'label' | 'mainChannelId'>>>({})
  const draft = { name: site.name, label: site.label, mainChannelId: site.mainChannelId, ...typed }
  const type = (changes: typeof typed) => setTyped({ ...typed, ...changes })
  const { text } = bindDraft(draft, type, (field) => findErrorAt(error, field))
  const { name, label, mainChannelId } = draft
  const isOtherMain = mainChannelId !== site.mainChannelId
  const wanted = label.trim().toLowerCase()
  const moves = wanted !== site.label
  const submit = () => {
    if (refused !== null) return
    const changes = {
      ...(name.trim() !== site.name && { name }),
      ...(moves && { label: wanted }),
      ...(isOtherMain && { mainChannelId }),
    }
    mutate(changes, {
      onSuccess: (saved) => {
        toast(`Saved ${isolateText(saved.name)}.`, { tone: 'done' })
        setTyped({})
      },
    })
  }
  const isSame = name.trim() === site.name && !moves && !isOtherMain
  return (
    <Panel title="Name, addresses and live channel">
      <Form onSubmit={submit} busy={isPending} className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField label="Name" {...text('name')} />
          <TextField
            label="Label"
            autoCapitalize="none"
            {...text('label')}
            hint="The first part of its hostname, and its name in the addresses of bundles."
          />
        </div>
        <SelectField
          label="Live channel"
          {...text('mainChannelId')}
          hint="Pages call live what it shows, and Publish begins with it."
        >
          <Options
            of={site.channels
              .filter(({ followsExports }) => !followsExports)
              .map((channel) => [channel.channelId, nameChannel(channel)])}
          />
        </SelectField>
        {moves && isValidLabel(wanted) && <MovedAddresses site={site} label={wanted} docket={docket} />}
        <FormFailure error={error} fields={['name', 'label', 'mainChannelId']} />
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
      </Form>
    </Panel>
  )
}

type AddChannelProps = { siteId: string; onClose: () => void }

const AddChannelDialog = ({ siteId, onClose }: AddChannelProps) => {
  const { mutate, error, isPending } = useAddChannel(siteId)
  const [name, setName] = useState('')
  const submit = () =>
    mutate(name, { onSuccess: toastDone(`Added the channel ${isolateText(name.trim().toLowerCase())}.`, onClose) })
  return (
    <Dialog onClose={onClose} title="Add a channel">
      <Form onSubmit={submit} busy={isPending} className="grid gap-4">
        <TextField
          label="Name"
          data-autofocus
          autoCapitalize="none"
          {...bindText(name, setName)}
          error={findErrorAt(error, 'name')}
          hint="Such as staging. It’s a part of the channel’s address and can’t be changed."
        />
        <FormFailure error={error} fields={['name']} />
        <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
          Add channel
        </Button>
      </Form>
    </Dialog>
  )
}

type SiteSettingsProps = {
  site: Site
  sites: readonly Site[]
  connections: readonly NamedConnection[]
  docket: string
}

const notYours = 'Only admins and operators of everything that feeds this site can change it. Ask an admin for access.'

const ChannelsPanel = ({ site, refused }: { site: Site; refused: string | null }) => {
  const [adding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const open = site.channels.find(({ channelId }) => channelId === openId)
  return (
    <Panel
      title="Channels"
      action={
        <Button icon={Plus} refused={refused} onClick={() => setAdding(true)}>
          Add a channel…
        </Button>
      }
    >
      <ul className="divide-y divide-line">
        {site.channels.map((channel) => (
          <li
            key={channel.channelId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-sm"
          >
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{nameChannel(channel)}</p>
              <p className="text-xs text-muted wrap-anywhere">
                {accessLabels[channel.access].word}
                {channel.isProtected && ', protected'}
                {channel.hostname !== null && `, ${channel.hostname}`}
                {channel.followsExports && ', follows each export whose check finished'}
              </p>
            </div>
            <Button onClick={() => setOpenId(channel.channelId)}>
              Settings…<span className="sr-only"> of {nameChannel(channel)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {adding && <AddChannelDialog siteId={site.siteId} onClose={() => setAdding(false)} />}
      {open && (
        <ChannelSettingsDialog siteId={site.siteId} channel={open} refused={refused} onClose={() => setOpenId(null)} />
      )}
    </Panel>
  )
}

export const SiteSettings = ({ site, sites, connections, docket }: SiteSettingsProps) => {
  const refused = site.mayChange ? null : notYours
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <ChannelsPanel site={site} refused={refused} />
      <SiteForm key={site.siteId} site={site} docket={docket} refused={refused} />
      <FeedsPanel {...{ site, sites, connections, refused }} />
      {site.mayRemove && <RemoveSite site={site} docket={docket} />}
    </div>
  )
}
