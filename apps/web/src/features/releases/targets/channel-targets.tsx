import type { Channel } from '@docket/api-types/sites'
import type { Target, TargetList } from '@docket/api-types/targets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Panel, ReadState, Loading } from '#ui/layout/page.tsx'
import { HelpLink } from '#ui/links/help-link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { useAnnouncedChanges } from '#ui/records/use-announced-changes.ts'
import { TargetItem } from './target-item.tsx'
import { describeDeliveryNews } from './target-labels.ts'
import { targetsQuery } from './targets.queries.ts'

const TargetDialog = lazyDialog(async () => (await import('./settings/target-form.tsx')).TargetDialog)

const noChange = 'Only admins can do this. Ask an admin for access.'
const getTargetId = ({ targetId }: Target) => targetId

type ChannelTargetsProps = { siteId: string; channel: Pick<Channel, 'channelId' | 'name' | 'current'> }

const AddButton = ({ list, onClick }: { list: TargetList; onClick: () => void }) => (
  <Button refused={list.mayChange ? null : noChange} onClick={onClick}>
    Add a target…
  </Button>
)

export const ChannelTargets = ({ siteId, channel }: ChannelTargetsProps) => {
  const key = { siteId, channelId: channel.channelId }
  const query = useQuery(targetsQuery(key, channel.current?.sha256 ?? null, usePaused()))
  const { data: list } = query
  const [adding, setAdding] = useState(false)
  useAnnouncedChanges(list?.targets, getTargetId, describeDeliveryNews)
  const isEmpty = list?.targets.length === 0
  return (
    <Panel title="Targets" action={list && !isEmpty && <AddButton list={list} onClick={() => setAdding(true)} />}>
      <ReadState query={query} waiting={<Loading label="Loading targets" lines={['h-16 w-full']} />} />
      {list && isEmpty && (
        <>
          <p className="mb-3 max-w-prose text-sm text-muted">
            A target is a place outside Docket that gets a copy of what this channel shows: a folder, an S3 bucket, a
            git branch or an SFTP server. <HelpLink page="releases/targets">How targets work</HelpLink>
          </p>
          <AddButton list={list} onClick={() => setAdding(true)} />
        </>
      )}
      {list && !isEmpty && (
        <ul className="-mx-5 -mb-5 divide-y divide-line border-t border-line">
          {list.targets.map((target) => (
            <TargetItem key={target.targetId} channel={{ ...channel, siteId }} target={target} list={list} />
          ))}
        </ul>
      )}
      {list && adding && (
        <TargetDialog channel={key} target={null} folders={list.folders} onClose={() => setAdding(false)} />
      )}
    </Panel>
  )
}
