import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SFTPWrapper, Stats } from 'ssh2'
import { DeliveryFailed, type DeliveryTarget } from '#delivery-target.ts'
import { inPlace, type PlainFiles } from '#layouts/in-place.ts'
import { type LinkedFiles, releaseFolders } from '#layouts/release-folders.ts'
import { type HostKey, openSftp, type SshAddress, type SshLogin } from './ssh-connection.ts'

/** A folder on an SSH server. `folder` is absolute, or relative to the home of the user. */
export type SftpOptions = SshAddress & {
  hostKey: HostKey
  login: SshLogin
  folder: string
  layout: { kind: 'releases'; keep: number } | { kind: 'in_place'; graceMs: number }
}

/** A folder on an SSH server, with the key of the server pinned. Connects when it is first used. */
export const sftpTarget = (options: SftpOptions): DeliveryTarget => {
  const { layout } = options
  const files = remoteFiles(options)
  return layout.kind === 'releases' ? releaseFolders(files, layout.keep) : inPlace(files.plain, layout.graceMs)
}

type Callback<T> = (error: Error | null | undefined, value: T) => void

/** Codes of SFTP: no such file, no permission. */
const codes = { missing: 2, denied: 3 } as const
const isMissing = (error: unknown) => (error as { code?: unknown }).code === codes.missing

const remoteFiles = (options: SftpOptions): LinkedFiles & { plain: PlainFiles } => {
  let opened: ReturnType<typeof openSftp> | undefined
  const session = async () => (await (opened ??= openSftp(options, options.login))).sftp
  const start = options.folder.replace(/\/+$/, '')
  const place = (path: string) => `${start}/${path}`
  const made = new Set<string>()

  const call = async <T>(work: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> => {
    const sftp = await session()
    return new Promise<T>((resolve, reject) => {
      // It throws for extensions that the server lacks.
      work(sftp, (error, value) => (error ? reject(error) : resolve(value)))
    })
  }
  const find = (path: string): Promise<Stats | null> =>
    call<Stats>((sftp, done) => sftp.lstat(path, done)).catch(whenMissing(null))
  const makeFolder = async (folder: string): Promise<void> => {
    if (folder === '' || made.has(folder)) return
    const found = await call<Stats>((sftp, done) => sftp.stat(folder, done)).catch(whenMissing(null))
    if (found === null) {
      await makeFolder(parent(folder))
      await call<void>((sftp, done) => sftp.mkdir(folder, done as never)).catch(async (error: unknown) => {
        // Another file of this delivery needed it at the same moment.
        if ((await find(folder))?.isDirectory() !== true) throw error
      })
    }
    made.add(folder)
  }
  const unlink = (path: string) => call<void>((sftp, done) => sftp.unlink(path, done as never))
  const replace = (from: string, to: string) =>
    call<void>((sftp, done) => sftp.ext_openssh_rename(from, to, done as never))
  const rename = (from: string, to: string) => call<void>((sftp, done) => sftp.rename(from, to, done as never))
  const listFolder = (path: string) =>
    call<{ filename: string; attrs: Stats }[]>((sftp, done) => sftp.readdir(path, done as never)).catch(
      whenMissing<{ filename: string; attrs: Stats }[]>([]),
    )
  const removeTree = async (path: string): Promise<void> => {
    const found = await find(path)
    if (found === null) return
    if (!found.isDirectory()) return unlink(path).catch(whenMissing(undefined))
    for (const { filename } of await listFolder(path))
      if (filename !== '.' && filename !== '..') await removeTree(`${path}/${filename}`)
    await call<void>((sftp, done) => sftp.rmdir(path, done as never))
  }
  const write = (path: string, content: Readable) =>
    explain('write to', async () => {
      const file = place(path)
      await makeFolder(parent(file))
      const draft = `${parent(file)}/.docket-${randomUUID()}`
      try {
        await pipeline(content, silence((await session()).createWriteStream(draft, { flags: 'wx' })))
        await replace(draft, file).catch(async () => {
          // Without the extension of OpenSSH a server renames to free names only.
          await unlink(file).catch(whenMissing(undefined))
          await rename(draft, file)
        })
      } catch (error) {
        await unlink(draft).catch(() => {})
        throw error
      }
    })
  const read = (path: string) =>
    explain('read', async () => {
      const file = place(path)
      if ((await find(file))?.isFile() !== true) return null
      return silence((await session()).createReadStream(file) as Readable)
    })
  async function* listAll(folder: string): AsyncGenerator<string> {
    for (const { filename, attrs } of await explain('read', () => listFolder(place(folder)))) {
      if (filename === '.' || filename === '..') continue
      const path = folder === '' ? filename : `${folder}/${filename}`
      if (attrs.isDirectory()) yield* listAll(path)
      else yield path
    }
  }
  const common = {
    concurrency: 4,
    read,
    close: async () => {
      const open = await opened?.catch(() => null)
      open?.close()
    },
  }
  return {
    ...common,
    write,
    readSize: async (path) => {
      const found = await explain('read', () => find(place(path)))
      return found?.isFile() === true ? found.size : null
    },
    addName: async (path, name) => {
      await explain('write to', () => makeFolder(parent(place(name))))
      return call<void>((sftp, done) => sftp.ext_openssh_hardlink(place(path), place(name), done as never)).then(
        () => true,
        () => false,
      )
    },
    readLink: (path) =>
      explain('read', async () => {
        const found = await find(place(path))
        if (found === null) return null
        if (!found.isSymbolicLink()) return 'other'
        return { to: await call<string>((sftp, done) => sftp.readlink(place(path), done)) }
      }),
    replaceLink: (path, to) =>
      explain('write to', async () => {
        const draft = place(`.docket-${randomUUID()}`)
        try {
          await call<void>((sftp, done) => sftp.symlink(to, draft, done as never))
          await replace(draft, place(path))
        } catch {
          await unlink(draft).catch(() => {})
          throw new DeliveryFailed('The server cannot replace a link. Choose delivery in place.')
        }
      }),
    listNames: async (path) =>
      (await explain('read', () => listFolder(place(path))))
        .map(({ filename }) => filename)
        .filter((name) => name !== '.' && name !== '..'),
    rename: (path, name) =>
      explain('write to', async () => {
        await rename(place(path), place(name))
        made.clear()
      }),
    remove: (path) => explain('write to', () => removeTree(place(path))),
    plain: {
      ...common,
      write: async ({ path }, open) => write(path, await open()),
      remove: (path) => explain('write to', () => unlink(place(path)).catch(whenMissing(undefined))),
      list: () => listAll(''),
    },
  }
}

/** A stream may fail once more when the connection ends, after everyone stopped listening. */
const silence = <T extends NodeJS.EventEmitter>(stream: T): T => {
  stream.on('error', () => {})
  return stream
}

const parent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const whenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value
    throw error
  }

const explain = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { code?: unknown }
    // The content may fail too, and says so itself.
    if (error instanceof DeliveryFailed || (error as Error).name.startsWith('Storage')) throw error
    if (code === codes.denied)
      throw new DeliveryFailed(`Docket cannot ${what} the folder on the server: the user may not do that there.`)
    throw new DeliveryFailed(
      `Docket cannot ${what} the folder on the server. Its disk may be full, or the connection broke.`,
      true,
    )
  }
}
