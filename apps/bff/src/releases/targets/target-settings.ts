import { isDeepStrictEqual } from 'node:util'
import { isMetadataHost } from '@docket/outbound/addresses'
import type { TargetSettings } from '@docket/api-types/targets'
import { refusedFieldError } from '#ground/errors/app-error.ts'

/** Where a target sends its secret, and under which user name. */
const readPlace = (settings: TargetSettings): Record<string, string | number | null> => {
  switch (settings.kind) {
    case 'folder':
      return {}
    case 's3': {
      const { endpoint, region, bucket, accessKeyId } = settings
      return { endpoint, region, bucket, accessKeyId }
    }
    case 'git': {
      const { url, user, hostKey } = settings
      return { url, user, hostKey }
    }
    case 'sftp': {
      const { host, port, user, login, hostKey } = settings
      return { host, port, user, login, hostKey }
    }
  }
}

/** True when changed settings still lead to the same place, so that nobody can redirect a saved secret to a place of their own. */
export const isSamePlace = (one: TargetSettings, other: TargetSettings): boolean =>
  one.kind === other.kind && isDeepStrictEqual(readPlace(one), readPlace(other))

/** Readable message for settings that would send a saved secret to another place. */
export const secretAgain = 'These settings lead to another place. Enter the secret again.'

/** Names the place of a target for the audit. */
export const describePlace = (settings: TargetSettings): string => {
  switch (settings.kind) {
    case 'folder':
      return settings.path
    case 's3':
      return [settings.endpoint ?? `s3.${settings.region}`, settings.bucket, settings.prefix].filter(Boolean).join('/')
    case 'git':
      return `${settings.url} ${settings.branch}`
    case 'sftp':
      return `${settings.user}@${settings.host}:${settings.port} ${settings.folder}`
  }
}

/** True for a target that Docket signs in to. */
export const takesSecret = (settings: TargetSettings): boolean => {
  if (settings.kind === 'git') return settings.url.startsWith('ssh:') || (isRemote(settings) && settings.user !== null)
  return settings.kind !== 'folder'
}

const isRemote = ({ url }: { url: string }) => !url.startsWith('/')

const assertNoMetadata = (field: string, host: string) => {
  if (isMetadataHost(host))
    throw refusedFieldError(field, 'Enter another address: this one belongs to the metadata service of a cloud.')
}

const checkRepository = (url: string, hostKey: string | null) => {
  const address = URL.parse(url)
  if (address === null || !/^(https?|ssh):$/.test(address.protocol))
    throw refusedFieldError('settings.url', 'Enter the address of a repository that begins with https://, ssh:// or /.')
  assertNoMetadata('settings.url', address.hostname)
  if (address.password !== '' || (address.protocol !== 'ssh:' && address.username !== ''))
    throw refusedFieldError(
      'settings.url',
      'Leave the user and the password out of the address. They have fields of their own.',
    )
  if (address.protocol === 'ssh:' && hostKey === null)
    throw refusedFieldError('settings.hostKey', 'Read the key of the server, and confirm it.')
}

const missing: Readonly<Record<'s3' | 'git' | 'sftp', string>> = {
  s3: 'Enter the secret access key.',
  git: 'Enter the token or the private key.',
  sftp: 'Enter the password or the private key.',
}

/** Throws `invalid_request` for settings that cannot work, or that contain a secret. */
export const checkSettings = (settings: TargetSettings, hasSecret: boolean): void => {
  if (settings.kind === 's3' && settings.endpoint !== null) {
    const endpoint = URL.parse(settings.endpoint)
    if (endpoint === null || endpoint.username + endpoint.password + endpoint.search + endpoint.hash !== '')
      throw refusedFieldError('settings.endpoint', 'Enter an address without a user, a password or a query.')
    assertNoMetadata('settings.endpoint', endpoint.hostname)
  }
  if (settings.kind === 'sftp') assertNoMetadata('settings.host', settings.host)
  if (settings.kind === 'git' && isRemote(settings)) checkRepository(settings.url, settings.hostKey)
  if (hasSecret && !takesSecret(settings))
    throw refusedFieldError(
      settings.kind === 'git' ? 'settings.user' : 'secret',
      settings.kind === 'git' ? 'Enter the user of the token too.' : 'A folder needs no secret. Leave it empty.',
    )
  if (!hasSecret && settings.kind !== 'folder' && takesSecret(settings))
    throw refusedFieldError('secret', missing[settings.kind])
}
