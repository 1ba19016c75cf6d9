import type { Readable } from 'node:stream'
import type { SFTPWrapper, Stats } from 'ssh2'
import { type DeliveredFile, DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { draftStart as draftInPlace, createInPlaceTarget, ownFolder } from '#layouts/in-place.ts'
import { draftStart, createReleaseFoldersTarget } from '#layouts/release-folders.ts'
import {
  type FileSystem,
  createLinkedFiles,
  createLinkRefusal,
  deriveRights,
  privateRights,
  type Rights,
} from './linked-files.ts'
import { type HostKey, openSftp, type SshAddress, type SshLogin } from './ssh-connection.ts'

/** A folder on an SSH server. `folder` is absolute, or relative to the home of the user. */
export type SftpOptions = SshAddress & {
  hostKey: HostKey
  login: SshLogin
  folder: string
  layout: { kind: 'releases'; keep: number } | { kind: 'in_place'; graceMs: number }
}

/** A folder on an SSH server, with the key of the server pinned. Connects when it is first used. */
export const createSftpTarget = (options: SftpOptions): DeliveryTarget => {
  const { layout } = options
  const { close, ...system } = createRemoteFiles(options)
  const rest = { concurrency: 4, close }
  if (layout.kind === 'releases')
    return createReleaseFoldersTarget({ ...createLinkedFiles(system, draftStart), ...rest }, layout.keep)
  const files = createLinkedFiles(system, draftInPlace)
  async function* listAll(folder: string): AsyncGenerator<string> {
    for (const { name, isFolder } of await files.listFolder(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isFolder) yield* listAll(path)
      else yield path
    }
  }
  const plain = {
    ...files,
    ...rest,
    write: async ({ path }: DeliveredFile, open: () => Promise<Readable>) => files.write(path, await open()),
    remove: files.removeFile,
    list: () => listAll(''),
  }
  return createInPlaceTarget(plain, layout.graceMs)
}

type Callback<T> = (error: Error | null | undefined, value: T) => void

/** Codes of SFTP: no such file, no permission, any other refusal, unknown request. */
const codes = { missing: 2, denied: 3, failure: 4, unsupported: 8 } as const
const isMissing = (error: unknown) => (error as { code?: unknown }).code === codes.missing
const isRefusal = ({ code, message }: Error & { code?: unknown }) =>
  [codes.denied, codes.failure, codes.unsupported].includes(code as never) || message.includes('does not support')

const createRemoteFiles = (options: SftpOptions): FileSystem & { close: () => Promise<void> } => {
  let opened: ReturnType<typeof openSftp> | undefined
  const session = async () => (await (opened ??= openSftp(options, options.login))).sftp
  const start = options.folder.replace(/\/+$/, '')
  const place = (path: string) => (path === '' ? start || '/' : `${start}/${path}`)

  const call = async <T = void>(work: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> => {
    const sftp = await session()
    return new Promise<T>((resolve, reject) => {
      // ssh2 throws for extensions that the server lacks.
      work(sftp, (error, value) => (error ? reject(error) : resolve(value)))
    })
  }
  const lstat = (path: string) => call<Stats>((sftp, done) => sftp.lstat(path, done))
  const find = (path: string): Promise<Stats | null> => lstat(path).catch(whenMissing(null))
  const findRoot = (folder: string) => call<Stats>((sftp, done) => sftp.stat(folder, done)).catch(whenMissing(null))
  const chmod = (path: string, mode: number) =>
    call((sftp, done) => sftp.chmod(path, mode, done as never)).catch((error: Error) => {
      if (!isRefusal(error)) throw error
    })
  const makeFolder = async (path: string, mode: number) => {
    await call((sftp, done) => sftp.mkdir(path, done as never)).catch(async (error: unknown) => {
      // Another file of this delivery needed it at the same moment.
      if ((await find(path))?.isDirectory() !== true) throw error
    })
    await chmod(path, mode)
  }
  const makeRoot = async (path: string): Promise<void> => {
    if (path === '' || (await findRoot(path)) !== null) return
    await makeRoot(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    await makeFolder(path, 0o755)
  }
  let common: Promise<Rights> | undefined
  const readRights = async (path: string) => {
    if (path === ownFolder || path.startsWith(`${ownFolder}/`)) return privateRights
    return (common ??= findRoot(place('')).then((found) => deriveRights(found?.mode ?? 0)))
  }
  const unlink = (path: string) => call((sftp, done) => sftp.unlink(path, done as never))
  const rename = (path: string, name: string) =>
    call((sftp, done) => sftp.ext_openssh_rename(path, name, done as never))
  const list = async (path: string) => {
    const found = await call<{ filename: string; attrs: Stats }[]>((sftp, done) => sftp.readdir(path, done as never))
    return found.flatMap(({ filename, attrs }): [string, Stats][] =>
      filename === '.' || filename === '..' ? [] : [[filename, attrs]],
    )
  }
  const refuse = (error: Error) => {
    if (isRefusal(error)) throw new DeliveryFailed('The server cannot replace a link. Choose delivery in place.')
    throw error
  }
  return {
    /** The target's own folder may be a link. All names are looked up at once, because each response takes time. */
    within: async (path, makes, use) => {
      const parts = path.split('/').filter((part) => part !== '' && part !== '.')
      const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
      const found = await Promise.all(folders.map((folder) => find(place(folder))))
      const link = folders[found.findIndex((stats) => stats?.isSymbolicLink() === true)]
      if (link !== undefined) throw createLinkRefusal(link)
      const missing = folders.filter((_, index) => found[index] === null)
      if (missing.length > 0 && !makes) return null
      if (missing.length > 0) await makeRoot(start)
      for (const folder of missing) await makeFolder(place(folder), (await readRights(folder)).folder)
      return use(place(parts.join('/')))
    },
    readRights,
    lstat,
    list,
    chmod,
    open: async (path) => {
      if (!(await lstat(path)).isFile()) return null
      return ignoreLateErrors((await session()).createReadStream(path) as Readable)
    },
    create: async (path, mode) => ignoreLateErrors((await session()).createWriteStream(path, { flags: 'wx', mode })),
    link: (path, name) => call((sftp, done) => sftp.ext_openssh_hardlink(path, name, done as never)),
    readlink: (path) => call((sftp, done) => sftp.readlink(path, done)),
    symlink: (to, path) => call((sftp, done) => sftp.symlink(to, path, done as never)).catch(refuse),
    rename: (path, name) => rename(path, name).catch(refuse),
    move: (path, name) =>
      rename(path, name).catch(async () => {
        // Without the extension of OpenSSH a server renames to free names only.
        await unlink(name).catch(whenMissing(undefined))
        await call((sftp, done) => sftp.rename(path, name, done as never))
      }),
    unlink,
    rmdir: (path) => call((sftp, done) => sftp.rmdir(path, done as never)),
    isMissing,
    explain: wrapSftpFailure,
    close: async () => {
      const open = await opened?.catch(() => null)
      open?.close()
    },
  }
}

/** A stream may fail once more when the connection ends, after everyone stopped listening. */
const ignoreLateErrors = <T extends NodeJS.EventEmitter>(stream: T): T => {
  stream.on('error', () => {})
  return stream
}

const whenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value
    throw error
  }

const wrapSftpFailure: FileSystem['explain'] = async (what, work) => {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: unknown }
    // If the content fails too, its own error is reported.
    if (error instanceof DeliveryFailed || (error as Error).name.startsWith('Storage')) throw error
    if (code === codes.denied)
      throw new DeliveryFailed(`Docket cannot ${what} the folder on the server: the user may not do that there.`)
    throw new DeliveryFailed(
      `Docket cannot ${what} the folder on the server. Its disk may be full, or the connection broke.`,
      true,
    )
  }
}
