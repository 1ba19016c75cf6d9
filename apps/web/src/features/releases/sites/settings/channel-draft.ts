import type { PublishCheckSettings } from '@docket/api-types/publish-checks'
import type { ChangeChannel, Channel, ChannelAccess } from '@docket/api-types/sites'
import { ApiError, createFieldError } from '#lib/api/api-error.ts'

export type HeaderDraft = { key: number; name: string; value: string }

/** The checks as typed: numbers are text, and each condition with a number has a separate switch. */
export type PublishChecksDraft = Pick<
  PublishCheckSettings,
  'finishedCheck' | 'noNewBreaks' | 'noNewLeaks' | 'sameSearch'
> & {
  limitsPages: boolean
  maxFewerPages: string
  limitsSize: boolean
  /** Megabytes, as typed. */
  maxSize: string
  asksOthers: boolean
  approvals: string
}

export type ChannelDraft = {
  access: ChannelAccess
  hostname: string
  isProtected: boolean
  accessLog: boolean
  headers: readonly HeaderDraft[]
  publishChecks: PublishChecksDraft
}

/** The checks that a new channel has; the contract's `defaultPublishChecks`. */
const defaultPublishChecks: PublishCheckSettings = {
  finishedCheck: true,
  noNewBreaks: true,
  noNewLeaks: true,
  maxFewerPages: 10,
  maxBytes: null,
  sameSearch: true,
  approvals: 0,
}

const bytesPerMb = 1_000_000

const toPublishChecksDraft = ({
  maxFewerPages,
  maxBytes,
  approvals,
  ...rest
}: PublishCheckSettings): PublishChecksDraft => ({
  ...rest,
  limitsPages: maxFewerPages !== null,
  maxFewerPages: String(maxFewerPages ?? defaultPublishChecks.maxFewerPages),
  limitsSize: maxBytes !== null,
  maxSize: maxBytes === null ? '' : String(maxBytes / bytesPerMb),
  asksOthers: approvals > 0,
  approvals: String(Math.max(approvals, 1)),
})

export const emptyPublishChecks: PublishChecksDraft = toPublishChecksDraft(defaultPublishChecks)

type Saved = Pick<Channel, 'access' | 'hostname' | 'isProtected' | 'accessLog' | 'headers' | 'publishChecks'>

export const toChannelDraft = ({
  access,
  hostname,
  isProtected,
  accessLog,
  headers,
  publishChecks,
}: Saved): ChannelDraft => ({
  access,
  hostname: hostname ?? '',
  isProtected,
  accessLog,
  headers: headers.map(({ name, value }, key) => ({ key, name, value })),
  publishChecks: toPublishChecksDraft(publishChecks),
})

const toPublishChecks = ({
  limitsPages,
  limitsSize,
  asksOthers,
  ...publishChecks
}: PublishChecksDraft): PublishCheckSettings | ApiError => {
  const { finishedCheck, noNewBreaks, noNewLeaks, sameSearch } = publishChecks
  const pages = Number(publishChecks.maxFewerPages)
  const sizeBytes = Math.round(Number(publishChecks.maxSize.replace(',', '.')) * bytesPerMb)
  const approvals = Number(publishChecks.approvals)
  if (limitsPages && !(/^\d{1,3}$/.test(publishChecks.maxFewerPages.trim()) && pages <= 100))
    return createFieldError('publishChecks.maxFewerPages', 'Enter a whole number from 0 to 100.')
  if (limitsSize && !(Number.isSafeInteger(sizeBytes) && sizeBytes > 0))
    return createFieldError('publishChecks.maxBytes', 'Enter a number of megabytes, such as 250.')
  if (asksOthers && !/^[1-5]$/.test(publishChecks.approvals.trim()))
    return createFieldError('publishChecks.approvals', 'Enter a whole number from 1 to 5.')
  return {
    finishedCheck,
    noNewBreaks,
    noNewLeaks,
    maxFewerPages: limitsPages ? pages : null,
    maxBytes: limitsSize ? sizeBytes : null,
    sameSearch,
    approvals: asksOthers ? approvals : 0,
  }
}

/** Drops empty rows, so that row positions match those in the server's response. */
export const dropEmptyHeaders = (draft: ChannelDraft): ChannelDraft => ({
  ...draft,
  headers: draft.headers.filter(({ name, value }) => name.trim() !== '' || value.trim() !== ''),
})

const toSavedSettings = (draft: ChannelDraft): Saved | ApiError => {
  const publishChecks = toPublishChecks(draft.publishChecks)
  if (publishChecks instanceof ApiError) return publishChecks
  const { access, hostname, isProtected, accessLog, headers } = draft
  return {
    access,
    hostname: hostname.trim().toLowerCase() || null,
    isProtected,
    accessLog,
    headers: headers.map(({ name, value }) => ({ name: name.trim(), value: value.trim() })),
    publishChecks,
  }
}

const isSameSetting = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const pickSettings = (from: Saved, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

const listChangedFields = (from: Saved, to: Saved): string[] =>
  Object.keys(toChannelDraft(from)).filter((name) => !isSameSetting(from[name as keyof Saved], to[name as keyof Saved]))

/** Request with the changes of the draft, or the error in it. Null if nothing changed. */
export const toChannelChange = (draft: ChannelDraft, before: Channel): ChangeChannel | ApiError | null => {
  const wanted = toSavedSettings(draft)
  if (wanted instanceof ApiError) return wanted
  const names = listChangedFields(toSavedSettings(toChannelDraft(before)) as Saved, wanted)
  return names.length === 0 ? null : { version: before.version, ...pickSettings(wanted, names) }
}

/** Merges typed changes into settings that another user saved meanwhile: `draft` started from `before`, and `now` is saved. */
export const rebaseDraft = (draft: ChannelDraft, before: Channel, now: Channel): ChannelDraft => {
  const began = toChannelDraft(before)
  const isTyped = (name: string) => !isSameSetting(draft[name as keyof ChannelDraft], began[name as keyof ChannelDraft])
  return {
    ...toChannelDraft(now),
    ...Object.fromEntries(Object.entries(draft).filter(([name]) => isTyped(name))),
  }
}
