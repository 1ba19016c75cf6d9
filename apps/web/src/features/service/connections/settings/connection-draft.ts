import type {
  ChangeConnection,
  ConnectionColour,
  ConnectionSettings,
  CreateConnection,
  DeploymentKind,
  KeyChoice,
} from '@docket/api-types/connections'
import { createFieldError, type ApiError } from '#lib/api/api-error.ts'
import { splitLines } from '#lib/text/lines.ts'

/** A key as typed, or the name of a key file. If both are empty, the key stays unchanged. */
export type KeyDraft = { value: string; file: string }

const noKey: KeyDraft = { value: '', file: '' }

const emptyDraft = {
  name: '',
  baseUrl: '',
  /** Whether a new address is that of the same service. `''` before the reader says so. */
  sameService: '' as '' | 'same' | 'another',
  key: noKey,
  readKey: noKey,
  dropsReadKey: false,
  keyPrefix: '',
  deploymentKind: 'cloud' as DeploymentKind,
  callsPerHour: '3600',
  /** Seconds, as typed. */
  timeout: '30',
  /** One host per line. */
  bundleHosts: '',
  /** One header per line. If empty, the headers stay unchanged, like the certificate. */
  headers: '',
  dropsHeaders: false,
  certificate: '',
  certificateKey: '',
  dropsCertificate: false,
  agentJobCreation: false,
  agentJobList: false,
  colour: null as ConnectionColour | null,
  production: false,
  /** Date as YYYY-MM-DD, or `''` when the key does not expire. */
  keyExpiresOn: '',
}

export type ConnectionDraft = typeof emptyDraft

const toKeyDraft = ({ from, file }: ConnectionSettings['key']): KeyDraft =>
  from === 'file' ? { value: '', file: file ?? '' } : noKey

/** Draft of a new connection, or of changes to `connection`. Never has a key, because none is read back. */
export const toConnectionDraft = (connection: ConnectionSettings | null): ConnectionDraft =>
  connection === null
    ? emptyDraft
    : {
        ...emptyDraft,
        name: connection.name,
        baseUrl: connection.baseUrl ?? '',
        key: toKeyDraft(connection.key),
        readKey: toKeyDraft(connection.readKey),
        keyPrefix: connection.keyPrefix ?? '',
        deploymentKind: connection.deploymentKind,
        callsPerHour: String(connection.callsPerHour),
        timeout: String(connection.timeoutMs / 1000),
        bundleHosts: connection.bundleHosts.join('\n'),
        agentJobCreation: connection.agentJobCreation,
        agentJobList: connection.agentJobList,
        colour: connection.colour,
        production: connection.production,
        keyExpiresOn: connection.keyHealth.expiresOn ?? '',
      }

const toKeyChoice = ({ value, file }: KeyDraft): KeyChoice | null => {
  if (file !== '') return { file }
  return value.trim() === '' ? null : { value: value.trim() }
}

const parseNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

const toConnectionMarks = ({ name, colour, production, keyExpiresOn, agentJobList }: ConnectionDraft) => ({
  name,
  colour,
  production,
  keyExpiresOn: keyExpiresOn || null,
  agentJobList,
})

const toServiceSettings = (draft: ConnectionDraft) => ({
  baseUrl: draft.baseUrl.trim(),
  keyPrefix: draft.keyPrefix.trim() || null,
  deploymentKind: draft.deploymentKind,
  callsPerHour: parseNumber(draft.callsPerHour),
  timeoutMs: parseNumber(draft.timeout) * 1000,
  bundleHosts: splitLines(draft.bundleHosts),
  agentJobCreation: draft.agentJobCreation,
})

const toExtraCredentials = ({ headers, certificate, certificateKey, ...draft }: ConnectionDraft) => ({
  ...(headers.trim() !== '' && {
    headers: Object.fromEntries(
      splitLines(headers).map((line) => {
        const [, name = '', value = ''] = /^([^:]*):(.*)$/u.exec(line) ?? []
        return [name.trim(), value.trim()]
      }),
    ),
  }),
  ...(draft.dropsHeaders && { headers: null }),
  ...((certificate + certificateKey).trim() !== '' && { clientCertificate: { certificate, key: certificateKey } }),
  ...(draft.dropsCertificate && { clientCertificate: null }),
})

const checkNumbers = ({ callsPerHour, timeoutMs }: ReturnType<typeof toServiceSettings>): ApiError | null => {
  if (!Number.isInteger(callsPerHour) || callsPerHour < 0)
    return createFieldError('callsPerHour', 'Enter a whole number; 0 switches polling off.')
  return Number.isInteger(timeoutMs) && timeoutMs >= 1000 && timeoutMs <= 120_000
    ? null
    : createFieldError('timeoutMs', 'Enter 1 to 120 seconds.')
}

const moves = (draft: ConnectionDraft, before: ConnectionSettings): boolean =>
  before.source === 'settings' && draft.baseUrl.trim() !== (before.baseUrl ?? '')

/** True when the reader must say whether the service at the new address knows the records. */
export const needsSameService = (draft: ConnectionDraft, before: ConnectionSettings): boolean =>
  moves(draft, before) && before.records.staticExports + before.records.agentJobs > 0

/** True when the key must be entered again, because it would be sent to a different place. */
export const needsKeyAgain = (draft: ConnectionDraft, before: ConnectionSettings): boolean =>
  moves(draft, before) ||
  (before.source === 'settings' && splitLines(draft.bundleHosts).join('\n') !== before.bundleHosts.join('\n'))

export const toAddRequest = (draft: ConnectionDraft): CreateConnection | ApiError => {
  const service = toServiceSettings(draft)
  const key = toKeyChoice(draft.key)
  if (draft.name.trim() === '') return createFieldError('name', 'Enter a name.')
  if (service.baseUrl === '') return createFieldError('baseUrl', 'Enter an address.')
  if (key === null) return createFieldError('key', 'Enter a key.')
  const rest = { ...toConnectionMarks(draft), ...toExtraCredentials(draft), readKey: toKeyChoice(draft.readKey) }
  return checkNumbers(service) ?? { ...rest, ...service, key }
}

const isSameSetting = (a: KeyChoice | null, b: KeyChoice | null) => JSON.stringify(a) === JSON.stringify(b)

/** Request with the changes of the draft, or the error in it. An empty key means no change. */
export const toConnectionChange = (draft: ConnectionDraft, before: ConnectionSettings): ChangeConnection | ApiError => {
  if (draft.name.trim() === '') return createFieldError('name', 'Enter a name.')
  const old = toConnectionDraft(before)
  const wanted: Record<string, unknown> = { ...toConnectionMarks(draft) }
  const known: Record<string, unknown> = { ...toConnectionMarks(old) }
  if (before.source === 'settings') {
    const service = toServiceSettings(draft)
    const mistake = checkNumbers(service)
    if (mistake) return mistake
    Object.assign(wanted, service)
    Object.assign(known, toServiceSettings(old))
  }
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name])),
  ) as ChangeConnection
  const key = toKeyChoice(draft.key)
  const again = needsKeyAgain(draft, before)
  const asks = needsSameService(draft, before)
  if (asks && draft.sameService === '')
    return createFieldError('sameService', 'Choose whether the same service moved, or this is another one.')
  if (again && key === null)
    return createFieldError('key', 'Enter the key again, because the address or bundle hosts changed.')
  const readKey = toKeyChoice(draft.readKey)
  return {
    ...changes,
    ...toExtraCredentials(draft),
    ...(asks && { sameService: draft.sameService === 'same' }),
    ...(key !== null && (again || !isSameSetting(key, toKeyChoice(old.key))) && { key }),
    ...(draft.dropsReadKey && { readKey: null }),
    ...(!draft.dropsReadKey &&
      readKey !== null &&
      (again || !isSameSetting(readKey, toKeyChoice(old.readKey))) && { readKey }),
  }
}
