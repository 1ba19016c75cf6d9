import type { Channel } from '@docket/api-types/sites'
import type { Delivery, Target, TargetList } from '@docket/api-types/targets'
import { FileSearch, History, Pencil, ShieldCheck, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isolateText, formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { toastFailure } from '#ui/messages/toast.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { MenuItem, MenuLine, Menu } from '#ui/overlays/menu.tsx'
import { LastDelivery } from './last-delivery.tsx'
import { deliveryKinds, describePlace, isDeliveryUnderWay, kindLabels, nameRelease } from './target-labels.ts'
import { useRequestDelivery } from './targets.queries.ts'

const TargetDialog = lazyDialog(async () => (await import('./settings/target-form.tsx')).TargetDialog)
const DryRunDialog = lazyDialog(async () => (await import('./dialogs/dry-run-dialog.tsx')).DryRunDialog)
const HistoryDialog = lazyDialog(async () => (await import('./dialogs/history-dialog.tsx')).HistoryDialog)
const RemoveDialog = lazyDialog(async () => (await import('./dialogs/remove-dialog.tsx')).RemoveDialog)
const TakeBackDialog = lazyDialog(async () => (await import('./dialogs/take-back-dialog.tsx')).TakeBackDialog)

export type TargetChannel = Pick<Channel, 'channelId' | 'name' | 'current'> & { siteId: string }

type TargetItemProps = { channel: TargetChannel; target: Target; list: TargetList }
type Open = 'edit' | 'dry-run' | 'history' | 'remove' | 'take-back'

const TargetContent = ({ target: { delivered }, channel: { current, name } }: Omit<TargetItemProps, 'list'>) => {
  if (delivered === null) return <StateLabel tone="idle">Nothing delivered yet</StateLabel>
  const { sha256, releaseNumber, at } = delivered
  const isCurrent = current === null || sha256 === current.sha256
  return (
    <>
      <StateLabel tone={isCurrent ? 'done' : 'attention'}>
        {`Has ${nameRelease({ releaseNumber: isCurrent && current ? current.number : releaseNumber, sha256 })}`}
      </StateLabel>
      <span>
        delivered <Ago at={at} />
      </span>
      {!isCurrent && (
        <span className="wrap-anywhere">
          release {formatCount(current.number)} is live in <bdi>{name}</bdi>
        </span>
      )}
    </>
  )
}

/** Reasons why the current user may not deliver, verify and so on now; null when they may. */
const explainRefusals = ({ channel, target, list }: TargetItemProps) => {
  const noRight = list.mayDeliver
    ? null
    : `You may not deliver from ${isolateText(channel.name)}. Ask an admin for access.`
  const busy = target.last?.state === 'running' ? 'A delivery is running. Wait until it ends.' : null
  const nothing = target.delivered === null ? 'Nothing was delivered yet.' : null
  const noRelease = channel.current === null ? `Nothing is live in ${isolateText(channel.name)} yet.` : null
  const noEarlier = target.canTakeBack ? null : 'Docket has saved no earlier bundle of this target.'
  return {
    deliver: noRight ?? noRelease ?? busy,
    dryRun: noRight ?? noRelease,
    verify: noRight ?? nothing ?? busy,
    takeBack: noRight ?? noEarlier ?? busy,
    change: list.mayChange ? null : 'Only admins can do this. Ask an admin for access.',
  }
}

export const TargetItem = (props: TargetItemProps) => {
  const { channel, target, list } = props
  const { name, settings, onRelease, last } = target
  const key = { siteId: channel.siteId, channelId: channel.channelId, targetId: target.targetId }
  const { mutate, isPending } = useRequestDelivery(key)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const refused = explainRefusals(props)
  const ask = (kind: Delivery['kind']) => {
    close()
    mutate(kind, { onError: toastFailure(`${deliveryKinds[kind].notBegun} ${isolateText(name)}.`) })
  }
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 px-5 py-4 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-semibold wrap-anywhere">
            <bdi>{revealHiddenCharacters(name)}</bdi>
          </h3>
          <p className="text-muted wrap-anywhere">
            {kindLabels[settings.kind]}{' '}
            <code dir="ltr" className="font-mono text-xs">
              <bdi>{revealHiddenCharacters(describePlace(settings))}</bdi>
            </code>
          </p>
        </div>
        <div className="flex items-center gap-1.5">
          <Button busy={isPending} refused={refused.deliver} onClick={() => ask('delivery')}>
            Deliver now<span className="sr-only"> to {name}</span>
          </Button>
          <Menu label={`More for ${name}`}>
            <MenuItem icon={<FileSearch />} refused={refused.dryRun} onSelect={() => setOpen('dry-run')}>
              Dry run…
            </MenuItem>
            <MenuItem icon={<ShieldCheck />} refused={refused.verify} onSelect={() => ask('verification')}>
              Verify
            </MenuItem>
            <MenuItem icon={<Undo2 />} refused={refused.takeBack} onSelect={() => setOpen('take-back')}>
              Take back…
            </MenuItem>
            <MenuItem icon={<History />} onSelect={() => setOpen('history')}>
              Deliveries…
            </MenuItem>
            <MenuLine />
            <MenuItem icon={<Pencil />} refused={refused.change} onSelect={() => setOpen('edit')}>
              Edit…
            </MenuItem>
            <MenuItem icon={<Trash2 />} danger refused={refused.change} onSelect={() => setOpen('remove')}>
              Remove…
            </MenuItem>
          </Menu>
        </div>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <TargetContent target={target} channel={channel} />
        <span>{onRelease ? 'Gets each new release' : 'Delivered by hand'}</span>
      </p>
      {last !== null && (
        <LastDelivery
          delivery={last}
          target={name}
          next={channel.current?.number ?? null}
          busy={isPending}
          refused={list.mayDeliver ? null : refused.deliver}
          onAgain={() => ask(last.state === 'done' ? 'delivery' : last.kind)}
        />
      )}
      {open === 'edit' && <TargetDialog channel={key} target={target} folders={list.folders} onClose={close} />}
      {open === 'dry-run' && (
        <DryRunDialog
          target={key}
          name={name}
          refused={refused.deliver ?? (isDeliveryUnderWay(last) ? 'A delivery waits already.' : null)}
          onDeliver={() => ask('delivery')}
          onClose={close}
        />
      )}
      {open === 'history' && <HistoryDialog target={key} name={name} onClose={close} />}
      {open === 'take-back' && (
        <TakeBackDialog target={target} channel={channel} onConfirm={() => ask('take_back')} onClose={close} />
      )}
      {open === 'remove' && <RemoveDialog target={key} name={name} settings={settings} onClose={close} />}
    </li>
  )
}
