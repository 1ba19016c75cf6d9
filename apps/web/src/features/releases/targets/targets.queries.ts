import type {
  AddTarget,
  ChangeTarget,
  Delivery,
  DeliveryList,
  Target,
  TargetList,
  TestTarget,
} from '@docket/api-types/targets'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, patch, post, remove } from '#lib/api/api.ts'
import { refetchInterval } from '#lib/polling/polling.ts'
import { readOnce } from '#ui/live/read-once.ts'
import { isDeliveryAwaited, isDeliveryUnderWay } from './target-labels.ts'

const root = 'targets'

export type ChannelKey = { siteId: string; channelId: string }
export type TargetKey = ChannelKey & { targetId: string }

const listPath = '/api/sites/{siteId}/channels/{channelId}/targets'
const targetPath = `${listPath}/{targetId}` as const

/**
 * Targets of a channel. Read again while a delivery is under way, and for a new release: `sha256` is the bundle that the channel shows, or
 * null.
 */
export const targetsQuery = ({ siteId, channelId }: ChannelKey, sha256: string | null, paused: boolean) =>
  queryOptions({
    queryKey: [root, 'list', siteId, channelId, sha256],
    queryFn: ({ signal }) => get(listPath, { params: { siteId, channelId }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchInterval<TargetList>({
      paused,
      isLive: ({ targets }) => targets.some(({ last }) => isDeliveryUnderWay(last)),
      isSettled: ({ targets }) => !targets.some((target) => isDeliveryAwaited(target, sha256)),
    }),
  })

export const deliveriesQuery = (params: TargetKey, paused: boolean) =>
  queryOptions({
    queryKey: [root, 'deliveries', params.targetId],
    queryFn: ({ signal }) => get(`${targetPath}/deliveries`, { params, signal }),
    refetchInterval: refetchInterval<DeliveryList>({
      paused,
      isLive: ({ deliveries }) => deliveries.some(isDeliveryUnderWay),
      isSettled: () => true,
    }),
  })

/** Changes that a delivery would make now. Never shown from a cache: the target may have changed. */
export const dryRunQuery = (params: TargetKey) =>
  queryOptions({
    queryKey: [root, 'dry-run', params.targetId],
    queryFn: ({ signal }) => get(`${targetPath}/dry-run`, { params, signal }),
    ...readOnce,
  })

/** A command about targets. `change` applies its response to the lists, which are then read again. */
const useWriteTarget = <In, Out>(
  write: (input: In) => Promise<Out>,
  change: (list: TargetList, out: Out, input: In) => TargetList,
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async (out, input) => {
      // An older response must not overwrite the list.
      await client.cancelQueries({ queryKey: [root, 'list'] })
      client.setQueriesData<TargetList>({ queryKey: [root, 'list'] }, (list) => list && change(list, out, input))
    },
    onSettled: () => {
      for (const part of ['list', 'deliveries']) void client.invalidateQueries({ queryKey: [root, part] })
    },
  })
}

const replaceTarget = (list: TargetList, target: Target): TargetList => ({
  ...list,
  targets: list.targets.map((one) => (one.targetId === target.targetId ? target : one)),
})

export const useAddTarget = (params: ChannelKey) =>
  useWriteTarget(
    (body: AddTarget) => post(listPath, { params, body }),
    (list) => list,
  )

export const useChangeTarget = (params: ChannelKey) =>
  useWriteTarget(
    ({ targetId, ...body }: ChangeTarget & { targetId: string }) =>
      patch(targetPath, { params: { ...params, targetId }, body }),
    replaceTarget,
  )

/** Removes a target; its files stay. */
export const useRemoveTarget = (params: TargetKey) =>
  useWriteTarget(
    () => remove(targetPath, { params }),
    (list) => ({ ...list, targets: list.targets.filter(({ targetId }) => targetId !== params.targetId) }),
  )

export const useRequestDelivery = (params: TargetKey) =>
  useWriteTarget(
    (kind: Delivery['kind']) => post(`${targetPath}/deliveries`, { params, body: { kind } }),
    (list, last) => ({
      ...list,
      targets: list.targets.map((one) => (one.targetId === params.targetId ? { ...one, last } : one)),
    }),
  )

export const useTestTarget = () =>
  useMutation({ mutationFn: (body: TestTarget) => post('/api/target-tests', { body }) })

export const useReadHostKey = () =>
  useMutation({ mutationFn: (body: { host: string; port: number }) => post('/api/host-keys', { body }) })
