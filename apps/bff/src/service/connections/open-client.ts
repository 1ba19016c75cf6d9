import { createHmac, randomUUID } from 'node:crypto'
import type { Outcome } from '#service/admin-api/connection.ts'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { httpAdminApi } from '#service/admin-api/http-admin-api.ts'
import type { ClientCertificate, ExtraCredentials } from '#ground/config/extra-credentials.ts'
import { openKeySource } from '#ground/config/key-source.ts'
import { decryptText, type KeyRing } from '#ground/secret/encrypted-text.ts'
import { deriveKey } from '#ground/secret/right-secret.ts'
import type { ConnectionRow } from './connection-rows.ts'
import { findKeyFile } from './key-files.ts'

export type OwnService = {
  baseUrl: string
  key: () => Promise<string>
  readKey: (() => Promise<string>) | undefined
  extra?: () => ExtraCredentials
}

export type OwnServices = {
  /** Null when the environment describes no service. */
  environment: OwnService | null
  /** Null when Docket's own service does not run in this process. */
  embedded: OwnService | null
}

export type ServiceClient = {
  adminApi: AdminApi
  hasReadKey: boolean
  /** Reads the keys again, and identifies them without revealing them. */
  fingerprint: () => Promise<string>
  onOutcome: (listener: (outcome: Outcome) => void) => void
  /** The client tests one key, or sends one that can't be valid. Close it afterwards. */
  withOneKey: (key: 'main' | 'read' | 'invalid') => AdminApi & { close: () => Promise<void> }
  close: () => Promise<void>
}

const settingName = { main: 'The key', read: 'The read key' } as const

/** Undefined for a connection from the environment. */
const findPlaces = ({ source, keyFile, readKeyFile }: ConnectionRow) => {
  if (source !== 'settings') return undefined
  const settings = 'Settings › Connections'
  const forKey = (file: string | null) => (file === null ? settings : `the file ${file}`)
  return { address: `the address in ${settings}`, key: forKey(keyFile), readKey: forKey(readKeyFile) }
}

/** Throws a readable `Error` when this process has no key. Adds every key to `secrets` before any other code sees it. */
export const createClientOpener = (deps: {
  own: OwnServices
  ring: KeyRing
  keysFolder: string | null
  secrets: Set<string>
  onOutcome: (row: ConnectionRow, outcome: Outcome) => void
  onProblem: (message: string) => void
}) => {
  const { own, ring, keysFolder, secrets, onOutcome, onProblem } = deps

  const storedKey = async (row: ConnectionRow, key: 'main' | 'read') => {
    const [sealed, file] = key === 'main' ? [row.sealedKey, row.keyFile] : [row.sealedReadKey, row.readKeyFile]
    if (sealed === null && file === null) return undefined
    const source = { name: settingName[key], prefix: row.keyPrefix ?? undefined, onProblem }
    return openKeySource(
      file === null
        ? { ...source, value: decryptText(ring, sealed!) }
        : { ...source, file: await findKeyFile(keysFolder, file) },
    )
  }

  const readStored = <T>(sealed: string | null): T | null =>
    sealed === null ? null : (JSON.parse(decryptText(ring, sealed)) as T)

  const findService = async (row: ConnectionRow): Promise<OwnService> => {
    if (row.source === 'docket') {
      if (own.embedded === null) throw new Error('Docket’s own service does not run in this process.')
      return own.embedded
    }
    if (row.source === 'environment') {
      if (own.environment?.baseUrl !== row.baseUrl) throw new Error('This Docket’s environment doesn’t describe it.')
      return own.environment
    }
    const key = await storedKey(row, 'main')
    if (row.baseUrl === null || key === undefined) throw new Error('Its key is missing. Enter it again.')
    const extra = {
      headers: readStored<ExtraCredentials['headers']>(row.sealedHeaders) ?? {},
      clientCertificate: readStored<ClientCertificate>(row.sealedClientCertificate),
    }
    return { baseUrl: row.baseUrl, key, readKey: await storedKey(row, 'read'), extra: () => extra }
  }

  return async (row: ConnectionRow): Promise<ServiceClient> => {
    const service = await findService(row)
    const watched = (key: () => Promise<string>) => async () => {
      const current = await key()
      secrets.add(current)
      return current
    }
    const extra = service.extra?.()
    for (const value of Object.values(extra?.headers ?? {})) secrets.add(value)
    const key = watched(service.key)
    const readKey = service.readKey && watched(service.readKey)
    const listeners = [(outcome: Outcome) => onOutcome(row, outcome)]
    const invalidKey = () => `${row.keyPrefix ?? ''}docket-test-of-an-invalid-key-${randomUUID()}`
    const places = findPlaces(row)
    const timeouts = { headersMs: row.timeoutMs, totalMs: row.timeoutMs }
    const common = { baseUrl: service.baseUrl, extra, places, timeouts }
    const onEach = (outcome: Outcome) => listeners.forEach((listener) => listener(outcome))
    const adminApi = httpAdminApi({ ...common, key, readKey, onOutcome: onEach })
    const headers = Object.entries(extra?.headers ?? {}).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    const rest = [...headers.toSorted(), ...Object.values(extra?.clientCertificate ?? {})]
    const hash = (text: string) =>
      createHmac('sha256', deriveKey(ring.secret, 'fingerprint of a key')).update(text).digest('hex').slice(0, 32)
    return {
      adminApi,
      hasReadKey: readKey !== undefined,
      onOutcome: (listener) => void listeners.push(listener),
      fingerprint: async () => hash([await key(), readKey === undefined ? '' : await readKey(), ...rest].join('\n')),
      withOneKey: (name) =>
        httpAdminApi({
          ...common,
          key: name === 'invalid' ? invalidKey : name === 'read' && readKey !== undefined ? readKey : key,
        }),
      close: () => adminApi.close(),
    }
  }
}

export type OpenClient = ReturnType<typeof createClientOpener>
