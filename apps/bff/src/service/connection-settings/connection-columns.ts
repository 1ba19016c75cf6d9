import type { ChangeConnection, KeyChoice, TestConnection } from '@docket/api-types/connections'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { checkClientCertificate, checkHeaders } from '#ground/config/extra-credentials.ts'
import { openKeySource } from '#ground/config/key-source.ts'
import { hostsWithPorts } from '#ground/config/values.ts'
import { refusedFieldError } from '#ground/errors/app-error.ts'
import { encryptText } from '#ground/secret/encrypted-text.ts'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import { normaliseBaseUrl } from '#service/connections/describe-environment.ts'
import { findKeyFile } from '#service/connections/key-files.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'

export type Settings = z.output<typeof ChangeConnection>

const readSetting = <T>(field: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw refusedFieldError(field, error instanceof Error ? error.message : 'This isn’t valid.')
  }
}

const toBaseUrl = (text: string) => readSetting('baseUrl', () => normaliseBaseUrl(text, 'The address'))

const toBundleHosts = (hosts: readonly string[]): string[] => {
  if (hosts.length === 0) return []
  const parsed = hostsWithPorts.safeParse(hosts.join(','))
  if (!parsed.success)
    throw refusedFieldError('bundleHosts', `The hosts ${parsed.error.issues[0]?.message ?? 'are not valid'}.`)
  return [...parsed.data]
}

const settingNames: Readonly<Record<string, string>> = {
  sealedKey: 'key',
  keyFile: 'key',
  sealedReadKey: 'read key',
  readKeyFile: 'read key',
  sealedHeaders: 'headerNames',
  sealedClientCertificate: 'clientCertificateExpiresOn',
}

/** Name of a setting for the audit. */
export const nameSetting = (column: string): string => settingNames[column] ?? column

/** Applies the same checks as to a key from the environment. */
const toKeyColumns = async (
  { ring, keysFolder }: ServiceCtx,
  field: 'key' | 'readKey',
  choice: KeyChoice | null | undefined,
  keyPrefix: string | null,
) => {
  if (choice === undefined) return {}
  const value = choice !== null && 'value' in choice ? choice.value : null
  const file = choice !== null && 'file' in choice ? choice.file : null
  const source = { name: 'The key', prefix: keyPrefix ?? undefined }
  try {
    if (value !== null) await openKeySource({ ...source, value })
    if (file !== null) await openKeySource({ ...source, file: await findKeyFile(keysFolder, file) })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'This key can’t be used.'
    // Admins see file names below CONNECTION_KEYS_DIR, but never the path of that folder.
    throw refusedFieldError(
      field,
      keysFolder === null ? message : message.replaceAll(keysFolder, 'CONNECTION_KEYS_DIR'),
    )
  }
  const sealed = value === null ? null : encryptText(ring, value.trim())
  return field === 'key' ? { sealedKey: sealed, keyFile: file } : { sealedReadKey: sealed, readKeyFile: file }
}

/** Columns of what a gateway in front of the service wants. */
const toExtraColumns = (
  { ring, now }: ServiceCtx,
  baseUrl: string | null,
  { headers, clientCertificate: client }: Pick<Settings, 'headers' | 'clientCertificate'>,
): Partial<ConnectionRow> => {
  const seal = (value: unknown) => encryptText(ring, JSON.stringify(value))
  const pairs = Object.entries(headers ?? {})
  readSetting('headers', () => checkHeaders(pairs))
  const expiresOn = client ? readSetting('clientCertificate', () => checkClientCertificate(client)) : null
  if (expiresOn !== null && expiresOn < new Date(now()).toISOString().slice(0, 10))
    throw refusedFieldError('clientCertificate', `The client certificate expired on ${expiresOn}.`)
  if (client && baseUrl?.startsWith('https:') === false)
    throw refusedFieldError('clientCertificate', 'A client certificate needs an https address.')
  const names = pairs.map(([name]) => name)
  return {
    ...(headers !== undefined && { sealedHeaders: names.length === 0 ? null : seal(headers), headerNames: names }),
    ...(client !== undefined && {
      sealedClientCertificate: client === null ? null : seal(client),
      clientCertificateExpiresOn: expiresOn,
    }),
  }
}

/** Columns that a change sets. Throws `invalid_request` with the setting to correct. */
export const checkChangedSettings = async (
  ctx: ServiceCtx,
  row: ConnectionRow,
  asked: Settings,
): Promise<Partial<ConnectionRow>> => {
  const { name, colour, production, keyExpiresOn, agentJobList, paused, switchedOn, ...rest } = asked
  const { statusMeanings, progressScale, anyway: _, sameService: __, ...service } = rest
  const { key, readKey, baseUrl, bundleHosts, headers, clientCertificate, ...limits } = service
  const inOrder = { key, readKey, baseUrl, bundleHosts, headers, clientCertificate, ...limits }
  const [fixed] = Object.entries(inOrder).flatMap(([field, value]) => (value === undefined ? [] : field))
  if (row.source !== 'settings' && fixed !== undefined)
    throw refusedFieldError(fixed, 'Docket’s environment describes this connection. Change it there.')
  const address = baseUrl === undefined ? undefined : toBaseUrl(baseUrl)
  const hosts = bundleHosts === undefined ? undefined : toBundleHosts(bundleHosts)
  const moves = address !== undefined && address !== row.baseUrl
  const widens = hosts !== undefined && JSON.stringify(hosts) !== JSON.stringify(row.bundleHosts)
  // A caller who cannot read a key must not be able to redirect it to another address.
  if ((moves || widens) && key === undefined)
    throw refusedFieldError('key', 'Enter the key again, because the address or bundle hosts changed.')
  if (moves && row.sealedReadKey !== null && readKey === undefined)
    throw refusedFieldError('readKey', 'Enter the read key again or remove it, because the address changed.')
  if (moves && row.sealedHeaders !== null && headers === undefined)
    throw refusedFieldError('headers', 'Enter the headers again or remove them, because the address changed.')
  if (moves && row.sealedClientCertificate !== null && clientCertificate === undefined)
    throw refusedFieldError('clientCertificate', 'Enter the certificate again or remove it: the address changed.')
  const prefix = limits.keyPrefix === undefined ? row.keyPrefix : limits.keyPrefix
  const pausing = paused === undefined ? {} : { pausedAt: paused ? (row.pausedAt ?? new Date(ctx.now())) : null }
  const marks = { name, colour, production, keyExpiresOn, agentJobList, switchedOn, statusMeanings, progressScale }
  const plain = { ...marks, baseUrl: address, bundleHosts: hosts, ...limits }
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  return {
    ...given,
    ...pausing,
    ...toExtraColumns(ctx, address ?? row.baseUrl, { headers, clientCertificate }),
    ...(await toKeyColumns(ctx, 'key', key, prefix)),
    ...(await toKeyColumns(ctx, 'readKey', readKey, prefix)),
  }
}

export const noCredentials = {
  sealedKey: null,
  sealedReadKey: null,
  keyFile: null,
  readKeyFile: null,
  sealedHeaders: null,
  sealedClientCertificate: null,
  headerNames: [],
  clientCertificateExpiresOn: null,
}

/** A connection as it would be saved. */
export const describeNewConnection = async (
  ctx: ServiceCtx,
  { key, readKey, baseUrl, bundleHosts, headers, clientCertificate, ...settings }: z.output<typeof TestConnection>,
  { name, createdBy }: { name: string; createdBy: string },
): Promise<ConnectionRow> => ({
  ...settings,
  name,
  connectionId: randomUUID(),
  kind: 'service',
  source: 'settings',
  baseUrl: toBaseUrl(baseUrl),
  bundleHosts: toBundleHosts(bundleHosts),
  ...noCredentials,
  ...toExtraColumns(ctx, toBaseUrl(baseUrl), { headers, clientCertificate }),
  ...(await toKeyColumns(ctx, 'key', key, settings.keyPrefix)),
  ...(await toKeyColumns(ctx, 'readKey', readKey, settings.keyPrefix)),
  statusMeanings: {},
  progressScale: null,
  pausedAt: null,
  goneAt: null,
  switchedOn: null,
  anotherService: false,
  createdBy,
  createdAt: new Date(ctx.now()),
})
