import type { GateSettings } from '@docket/api-types/publish-checks'
import type { ChangeChannel, Channel, ChannelAccess } from '@docket/api-types/sites'
import { ApiError } from '#lib/api/api-error.ts'

export type HeaderDraft = { key: number; name: string; value: string }

/** A gate as typed: numbers are text, and each condition with a number has a separate switch. */
export type GateDraft = Pick<GateSettings, 'finishedCheck' | 'noNewBreaks' | 'noNewLeaks' | 'sameSearch'> & {
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
  gate: GateDraft
}

/** The gate that a new channel has; the contract's `defaultGate`. */
const defaultGate: GateSettings = {
  finishedCheck: true,
  noNewBreaks: true,
  noNewLeaks: true,
  maxFewerPages: 10,
  maxBytes: null,
  sameSearch: true,
  approvals: 0,
}

const bytesPerMb = 1_000_000

const toGateDraft = ({ maxFewerPages, maxBytes, approvals, ...rest }: GateSettings): GateDraft => ({
  ...rest,
  limitsPages: maxFewerPages !== null,
  maxFewerPages: String(maxFewerPages ?? defaultGate.maxFewerPages),
  limitsSize: maxBytes !== null,
  maxSize: maxBytes === null ? '' : String(maxBytes / bytesPerMb),
  asksOthers: approvals > 0,
  approvals: String(Math.max(approvals, 1)),
})

export const emptyGate: GateDraft = toGateDraft(defaultGate)

type Saved = Pick<Channel, 'access' | 'hostname' | 'isProtected' | 'accessLog' | 'headers' | 'gate'>

export const toChannelDraft = ({ access, hostname, isProtected, accessLog, headers, gate }: Saved): ChannelDraft => ({
  access,
  hostname: hostname ?? '',
  isProtected,
  accessLog,
  headers: headers.map(({ name, value }, key) => ({ key, name, value })),
  gate: toGateDraft(gate),
})

const fieldError = (field: string, message: string) => new ApiError('invalid_request', message, { field })

const toGate = ({ limitsPages, limitsSize, asksOthers, ...gate }: GateDraft): GateSettings | ApiError => {
  const { finishedCheck, noNewBreaks, noNewLeaks, sameSearch } = gate
  const pages = Number(gate.maxFewerPages)
  const sizeBytes = Math.round(Number(gate.maxSize.replace(',', '.')) * bytesPerMb)
  const approvals = Number(gate.approvals)
  if (limitsPages && !(/^\d{1,3}$/.test(gate.maxFewerPages.trim()) && pages <= 100))
    return fieldError('gate.maxFewerPages', 'Enter a whole number from 0 to 100.')
  if (limitsSize && !(Number.isSafeInteger(sizeBytes) && sizeBytes > 0))
    return fieldError('gate.maxBytes', 'Enter a number of megabytes, such as 250.')
  if (asksOthers && !/^[1-5]$/.test(gate.approvals.trim()))
    return fieldError('gate.approvals', 'Enter a whole number from 1 to 5.')
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
  const gate = toGate(draft.gate)
  if (gate instanceof ApiError) return gate
  const { access, hostname, isProtected, accessLog, headers } = draft
  return {
    access,
    hostname: hostname.trim().toLowerCase() || null,
    isProtected,
    accessLog,
    headers: headers.map(({ name, value }) => ({ name: name.trim(), value: value.trim() })),
    gate,
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
