import type { AddTarget, ChangeTarget, Target, TargetSettings, TestTarget } from '@docket/api-types/targets'
import { ApiError, createFieldError } from '#lib/api/api-error.ts'

export type TargetKind = TargetSettings['kind']

export type ConfirmedKey = { hostKey: string; address: string }

const noKey = null as ConfirmedKey | null

/** Settings of each kind as typed: numbers are text. */
const emptyKinds = {
  folder: { path: '', keep: '3' },
  s3: { endpoint: '', region: '', bucket: '', prefix: '', accessKeyId: '', secret: '', graceMinutes: '5' },
  git: { url: '', branch: 'gh-pages', folder: '', user: 'git', token: '', privateKey: '', key: noKey },
  sftp: {
    host: '',
    port: '22',
    user: '',
    login: 'private_key' as 'password' | 'private_key',
    password: '',
    privateKey: '',
    key: noKey,
    folder: '',
    layout: 'releases' as 'releases' | 'in_place',
    keep: '3',
    graceMinutes: '5',
  },
}

export type KindDrafts = typeof emptyKinds

const kindFields = Object.values(emptyKinds).flatMap((kind) => Object.keys(kind))

/** Names of the fields that a refusal may concern. */
export const targetFields: readonly string[] = ['name', 'address', 'secret', 'hostKey', ...kindFields]

/** A target as typed. Each kind keeps its typed values while another kind is chosen. */
export type TargetDraft = { name: string; kind: TargetKind; address: string; onRelease: boolean; kinds: KindDrafts }

/** SSH server of an address, or null for something else. */
export const parseSshServer = (url: string): { host: string; port: number } | null => {
  const parsed = URL.parse(url.trim())
  return parsed?.protocol === 'ssh:' && parsed.hostname !== ''
    ? { host: parsed.hostname, port: Number(parsed.port || 22) }
    : null
}

/** How a repository is reached: over SSH, over HTTPS, or as a folder of this machine. */
export const classifyGitUrl = (url: string): 'ssh' | 'https' | 'path' => {
  if (url.trim().startsWith('/')) return 'path'
  return /^ssh:/i.test(url.trim()) ? 'ssh' : 'https'
}

export const printServer = ({ host, port }: { host: string; port: number | string }): string =>
  `${host.trim().toLowerCase()}:${String(port).trim()}`

const readKinds = (settings: TargetSettings): Partial<KindDrafts> => {
  switch (settings.kind) {
    case 'folder':
      return { folder: { path: settings.path, keep: String(settings.keep) } }
    case 's3': {
      const { endpoint, region, bucket, prefix, accessKeyId, graceMinutes } = settings
      const typed = { endpoint: endpoint ?? '', region, bucket, prefix, accessKeyId }
      return { s3: { ...typed, secret: '', graceMinutes: String(graceMinutes) } }
    }
    case 'git': {
      const { url, branch, folder, user, hostKey } = settings
      const server = parseSshServer(url)
      const key = hostKey !== null && server !== null ? { hostKey, address: printServer(server) } : null
      return { git: { ...emptyKinds.git, url, branch, folder, user: user ?? '', key } }
    }
    case 'sftp': {
      const { host, port, user, login, hostKey, folder, layout, keep, graceMinutes } = settings
      return {
        sftp: {
          ...emptyKinds.sftp,
          host,
          port: String(port),
          user,
          login,
          folder,
          layout,
          keep: String(keep),
          graceMinutes: String(graceMinutes),
          key: { hostKey, address: printServer({ host, port }) },
        },
      }
    }
  }
}

/** Draft of a new target, or of changes to `target`. Never has a secret, because none is read back. */
export const toTargetDraft = (target: Target | null, folders: readonly string[]): TargetDraft => {
  if (target !== null) {
    const { name, settings, onRelease } = target
    const kinds = { ...emptyKinds, ...readKinds(settings) }
    return { name, onRelease, kind: settings.kind, address: settings.address ?? '', kinds }
  }
  const folder = { ...emptyKinds.folder, path: folders[0] === undefined ? '' : `${folders[0]}/` }
  const kind = folders.length > 0 ? 'folder' : 's3'
  return { name: '', onRelease: true, kind, address: '', kinds: { ...emptyKinds, folder } }
}

const readNumber = (field: string, text: string, min: number, max: number): number => {
  const number = Number(text)
  if (/^\d{1,5}$/.test(text.trim()) && number >= min && number <= max) return number
  throw createFieldError(`settings.${field}`, `Enter a whole number from ${min} to ${max}.`)
}

const readKeepCount = (text: string) => readNumber('keep', text, 1, 20)
const readGraceMinutes = (text: string) => readNumber('graceMinutes', text, 0, 60)
const trimSlashes = (path: string) => path.trim().replaceAll(/^\/+|\/+$/g, '')

const readKey = (key: ConfirmedKey | null, address: string): string => {
  if (key?.address === address) return key.hostKey
  throw createFieldError('settings.hostKey', 'Read the host key, and confirm it.')
}

/** The confirmed host key of a draft, unless its server has changed since. */
export const findConfirmedKey = (key: ConfirmedKey | null, address: string): ConfirmedKey | null =>
  key?.address === address ? key : null

const printers: { [K in TargetKind]: (draft: KindDrafts[K]) => AddTarget['settings'] } = {
  folder: ({ path, keep }) => ({
    kind: 'folder',
    path: path.trim().replace(/(.)\/+$/, '$1'),
    keep: readKeepCount(keep),
  }),
  s3: ({ endpoint, region, bucket, prefix, accessKeyId, graceMinutes }) => ({
    kind: 's3',
    endpoint: endpoint.trim() || null,
    region: region.trim(),
    bucket: bucket.trim(),
    prefix: trimSlashes(prefix),
    accessKeyId: accessKeyId.trim(),
    graceMinutes: readGraceMinutes(graceMinutes),
  }),
  git: ({ url, branch, folder, user, key }) => {
    const server = parseSshServer(url)
    return {
      kind: 'git',
      url: url.trim(),
      branch: branch.trim(),
      folder: trimSlashes(folder),
      user: classifyGitUrl(url) === 'https' ? user.trim() || null : null,
      hostKey: server === null ? null : readKey(key, printServer(server)),
    }
  },
  sftp: ({ host, port, user, login, key, folder, layout, keep, graceMinutes }) => {
    const server = { host: host.trim(), port: readNumber('port', port, 1, 65_535) }
    if (server.host === '') throw createFieldError('settings.host', 'Enter a server.')
    return {
      kind: 'sftp',
      ...server,
      user: user.trim(),
      login,
      hostKey: readKey(key, printServer(server)),
      folder: folder.trim(),
      layout,
      keep: readKeepCount(keep),
      graceMinutes: readGraceMinutes(graceMinutes),
    }
  },
}

export const readTypedSecret = ({ kind, kinds: { s3, git, sftp } }: TargetDraft): string => {
  if (kind === 's3') return s3.secret.trim()
  if (kind === 'sftp') return sftp.login === 'password' ? sftp.password : sftp.privateKey.trim()
  const access = classifyGitUrl(git.url)
  if (kind === 'folder' || access === 'path') return ''
  return access === 'ssh' ? git.privateKey.trim() : git.token.trim()
}

/** Place to which the secret of a draft is sent. Files and folders below it may change. */
const printSecretPlace = ({ kind, kinds: { s3, git, sftp } }: TargetDraft): string => {
  const parts: Record<TargetKind, readonly (string | undefined)[]> = {
    folder: [],
    s3: [s3.endpoint, s3.region, s3.bucket, s3.accessKeyId],
    git: classifyGitUrl(git.url) === 'https' ? [git.url, git.user] : [git.url, git.key?.hostKey],
    sftp: [sftp.host, sftp.port, sftp.user, sftp.login, sftp.key?.hostKey],
  }
  return JSON.stringify(parts[kind].map((part) => part?.trim()))
}

/** True when the stored secret must be entered again, because it would be sent to a different place. */
export const needsSecretAgain = (draft: TargetDraft, before: Target): boolean =>
  before.hasSecret && printSecretPlace(draft) !== printSecretPlace(toTargetDraft(before, []))

const needsSecret = ({ kind, kinds: { git } }: TargetDraft): boolean =>
  kind === 's3' || kind === 'sftp' || (kind === 'git' && classifyGitUrl(git.url) === 'ssh')

/** Settings and secret of a draft; a null secret keeps the stored one. Throws the first validation error. */
const readDraft = (draft: TargetDraft, before: Target | null) => {
  const print = printers[draft.kind] as (kind: KindDrafts[TargetKind]) => AddTarget['settings']
  const settings = { ...print(draft.kinds[draft.kind]), address: draft.address.trim() || null }
  const secret = readTypedSecret(draft) || null
  const isStored = before?.hasSecret === true && !needsSecretAgain(draft, before)
  if (secret === null && !isStored) {
    if (before?.hasSecret && (settings.kind !== 'git' || settings.user !== null || settings.hostKey !== null))
      throw createFieldError('secret', 'Enter it again, because the place changed.')
    if (needsSecret(draft)) throw createFieldError('secret', 'Enter the secret.')
    // Without a token, there is no sign-in.
    if (settings.kind === 'git') return { settings: { ...settings, user: null }, secret }
  }
  return { settings, secret }
}

const returnApiError = <T>(read: () => T): T | ApiError => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

export const toAddRequest = (draft: TargetDraft): AddTarget | ApiError =>
  returnApiError(() => {
    if (draft.name.trim() === '') throw createFieldError('name', 'Enter a name.')
    return { name: draft.name.trim(), ...readDraft(draft, null), onRelease: draft.onRelease }
  })

const isSameSetting = (one: object, other: object) =>
  Object.entries(one).every(([name, value]) => value === (other as Record<string, unknown>)[name])

/** Request with the changes of the draft, or the error in it. Null if nothing changed. */
export const toTargetChange = (draft: TargetDraft, before: Target): ChangeTarget | ApiError | null =>
  returnApiError(() => {
    const name = draft.name.trim()
    if (name === '') throw createFieldError('name', 'Enter a name.')
    const { settings, secret } = readDraft(draft, before)
    const change: ChangeTarget = {
      ...(name !== before.name && { name }),
      ...(!isSameSetting(settings, before.settings) && { settings }),
      ...(secret !== null && { secret }),
      ...(draft.onRelease !== before.onRelease && { onRelease: draft.onRelease }),
    }
    return Object.keys(change).length === 0 ? null : change
  })

export const toTestRequest = (draft: TargetDraft, before: Target | null, channelId: string): TestTarget | ApiError =>
  returnApiError(() => ({ ...readDraft(draft, before), targetId: before?.targetId ?? null, channelId }))
