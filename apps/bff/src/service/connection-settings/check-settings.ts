import type { ChangeConnection, KeyChoice } from '@docket/api-types/connections'
import type { z } from 'zod'
import { keySource } from '#ground/config/key-source.ts'
import { hostsWithPorts } from '#ground/config/values.ts'
import type { ConnectionRow } from '#service/connections/connection-rows.ts'
import { normaliseBaseUrl } from '#service/connections/describe-environment.ts'
import { findKeyFile } from '#service/connections/key-files.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { encrypt, type KeyRing } from '#ground/secret/encrypted-text.ts'

type Settings = z.output<typeof ChangeConnection>

/** A setting that cannot be used. */
export const wrong = (field: string, message: string) => new AppError('invalid_request', message, { field })

/** Checks an address as that of the environment is checked. */
export const toBaseUrl = (text: string): string => {
  try {
    return normaliseBaseUrl(text, 'The address')
  } catch (error) {
    throw wrong('baseUrl', error instanceof Error ? error.message : 'This isn’t a valid address.')
  }
}

/** Checks hosts of bundles as those of the environment are checked. */
export const toBundleHosts = (hosts: readonly string[]): string[] => {
  if (hosts.length === 0) return []
  const parsed = hostsWithPorts.safeParse(hosts.join(','))
  if (!parsed.success) throw wrong('bundleHosts', `The hosts ${parsed.error.issues[0]?.message ?? 'are not valid'}.`)
  return [...parsed.data]
}

/** Refuses to switch another connection than the embedded service, and what the environment decides. */
export const refuseSwitch = ({ kind }: ConnectionRow, { isFixed, because }: { isFixed: boolean; because: string }) => {
  if (kind !== 'embedded') throw wrong('switchedOn', 'Only the embedded service can be switched on and off.')
  if (isFixed)
    throw new AppError('conflict', `Docket’s environment decides, because ${because}.`, { field: 'switchedOn' })
}

/** Names a column for the audit. */
export const nameSetting = (column: string): string =>
  column === 'sealedKey' || column === 'keyFile'
    ? 'key'
    : column.startsWith('sealedRead') || column === 'readKeyFile'
      ? 'read key'
      : column

/** Checks settings that an admin enters, and converts them to columns. Throws `invalid_request` with the field. */
export const settingChecks = (deps: { ring: KeyRing; keysFolder: string | null; now: () => number }) => {
  const { ring, keysFolder, now } = deps

  /** Checks a key as that of the environment is checked, and returns the columns that keep it. */
  const toColumns = async (
    field: 'key' | 'readKey',
    choice: KeyChoice | null | undefined,
    keyPrefix: string | null,
  ) => {
    if (choice === undefined) return {}
    const value = choice !== null && 'value' in choice ? choice.value : null
    const file = choice !== null && 'file' in choice ? choice.file : null
    const source = { name: 'The key', prefix: keyPrefix ?? undefined }
    try {
      if (value !== null) await keySource({ ...source, value })
      if (file !== null) await keySource({ ...source, file: await findKeyFile(keysFolder, file) })
    } catch (error) {
      const message = error instanceof Error ? error.message : 'This key can’t be used.'
      // Admins see names below CONNECTION_KEYS_DIR only, never where it is.
      throw wrong(field, keysFolder === null ? message : message.replaceAll(keysFolder, 'CONNECTION_KEYS_DIR'))
    }
    const sealed = value === null ? null : encrypt(ring, value.trim())
    return field === 'key' ? { sealedKey: sealed, keyFile: file } : { sealedReadKey: sealed, readKeyFile: file }
  }

  /** The settings of a request that differ from the row, checked. */
  const toChanges = async (row: ConnectionRow, asked: Settings): Promise<Partial<ConnectionRow>> => {
    const { name, colour, production, keyExpiresOn, agentJobList, paused, switchedOn, ...service } = asked
    const { key, readKey, baseUrl, bundleHosts, ...limits } = service
    const inOrder = { key, readKey, baseUrl, bundleHosts, ...limits }
    const [fixed] = Object.entries(inOrder).flatMap(([field, value]) => (value === undefined ? [] : field))
    if (row.source !== 'settings' && fixed !== undefined)
      throw wrong(fixed, 'Docket’s environment describes this connection. Change it there.')
    const address = baseUrl === undefined ? undefined : toBaseUrl(baseUrl)
    const hosts = bundleHosts === undefined ? undefined : toBundleHosts(bundleHosts)
    const moves = address !== undefined && address !== row.baseUrl
    const widens = hosts !== undefined && JSON.stringify(hosts) !== JSON.stringify(row.bundleHosts)
    // Somebody who reads no key must not be able to send it elsewhere.
    if ((moves || widens) && key === undefined)
      throw wrong('key', 'Enter the key again, because the address or bundle hosts changed.')
    if (moves && row.sealedReadKey !== null && readKey === undefined)
      throw wrong('readKey', 'Enter the read key again or remove it, because the address changed.')
    const prefix = limits.keyPrefix === undefined ? row.keyPrefix : limits.keyPrefix
    const pausing = paused === undefined ? {} : { pausedAt: paused ? (row.pausedAt ?? new Date(now())) : null }
    const marks = { name, colour, production, keyExpiresOn, agentJobList, switchedOn }
    const plain = { ...marks, baseUrl: address, bundleHosts: hosts, ...limits }
    const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
    return {
      ...given,
      ...pausing,
      ...(await toColumns('key', key, prefix)),
      ...(await toColumns('readKey', readKey, prefix)),
    }
  }

  return { toColumns, toChanges }
}
