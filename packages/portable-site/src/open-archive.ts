import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileRemark } from '@docket/site-bundle/archive/archive-file'
import { nameFiles } from '@docket/site-bundle/archive/decode-names'
import { readArchive } from '@docket/site-bundle/archive/read-archive'
import { usualBounds } from '@docket/site-bundle/bounds'
import { allowPublicAnd } from '@docket/outbound/addresses'
import { createOutboundAgent, type OutboundAgent } from '@docket/outbound/outbound'
import type { LeftOut } from '@docket/sources/source-folder'

/** The content is unpacked to a disk, so less of it may come than of an upload. */
const bounds = { ...usualBounds, contentBytes: 2 * 1024 ** 3, fileBytes: 256 * 1024 ** 2 }
const download = { bytes: 1024 ** 3, hops: 5, connectMs: 10_000, wholeMs: 15 * 60_000 }

const reasons: Readonly<Record<FileRemark['rule'], string>> = {
  'system-file': 'macOS or Windows added it to the archive',
  'unusable-name': 'a folder can’t have a file of this name',
  'dangling-link': 'it is a link to nothing',
  'repeated-file': 'the archive has it several times, so the last one counts',
  'decoded-name': 'its name was in another encoding',
  'undecoded-name': 'its name is in an unknown encoding',
}

/** What a file system answers for a name that it can't have, also because of another file in the archive. */
const unusable = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

/**
 * Unpacks an archive below the new folder `target`, and says in which one its files are. Rejects with `ArchiveRefused` for an archive that
 * is unsafe, damaged or too large.
 */
export const unpackArchive = async (file: string, target: string): Promise<{ folder: string; leftOut: LeftOut[] }> => {
  const [numbered, folder] = [join(target, 'numbered'), join(target, 'site')]
  for (const one of [numbered, folder]) await mkdir(one, { recursive: true, mode: 0o700 })
  // Which names a file gets is known at the end of the archive.
  const files = new Map<string, { at: string; sizeBytes: number }>()
  const archive = await readArchive(file, bounds, async ({ path, sizeBytes, content }) => {
    const at = files.get(path)?.at ?? join(numbered, String(files.size))
    files.set(path, { at, sizeBytes })
    await pipeline(content, createWriteStream(at, { mode: 0o600 }))
  })
  const { remarks } = archive
  const readWhole = (path: string) => readFile(files.get(path)!.at)
  for (const [path, source] of await nameFiles(archive, readWhole, (path) => files.get(path)!.sizeBytes)) {
    const to = join(folder, path)
    try {
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const held = files.get(source)!
      await (dirname(held.at) === numbered ? rename(held.at, to) : copyFile(held.at, to))
      held.at = to
    } catch (error) {
      if (!unusable.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      remarks.push({ rule: 'unusable-name', path })
    }
  }
  await rm(numbered, { recursive: true })
  return { folder, leftOut: remarks.map(({ rule, path }) => ({ file: path, reason: reasons[rule] })) }
}

/** Downloads an archive to `file`. Rejects with a readable error, also when its bytes are not those of the checksum. */
export const downloadArchive = async (
  address: string,
  { sha256, file, privateNetworks }: { sha256: string; file: string; privateNetworks: readonly string[] },
): Promise<void> => {
  const agent = createOutboundAgent({
    allows: allowPublicAnd({ networks: privateNetworks }),
    connectMs: download.connectMs,
  })
  const shown = address.replace(/[?#].*$/s, '')
  try {
    const digest = await writeDownload(agent, address, file)
    if (digest !== sha256) throw new Error(`its checksum is ${digest}, and ${sha256} was expected`)
  } catch (error) {
    await rm(file, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The archive ${shown} of the site can’t be used: ${why}`, { cause: error })
  } finally {
    await agent.destroy()
  }
}

/** Returns the SHA-256 of the bytes. */
const writeDownload = async (agent: OutboundAgent, address: string, file: string): Promise<string> => {
  const signal = AbortSignal.timeout(download.wholeMs)
  let url = new URL(address)
  for (let hop = 0; hop <= download.hops; hop += 1) {
    const { origin, pathname, search } = url
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      signal,
    })
    const location = [headers['location']].flat()[0]
    if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
      body.on('error', () => undefined).destroy()
      const next = URL.parse(location, url)
      // An answer over https may not lead back to a connection that anybody can read.
      if (next === null || !(next.protocol === 'https:' || next.protocol === url.protocol) || next.username !== '')
        throw new Error('it redirects to an address that is not allowed')
      url = next
      continue
    }
    if (statusCode !== 200) {
      body.on('error', () => undefined).destroy()
      throw new Error(`its host answers ${statusCode}`)
    }
    const hash = createHash('sha256')
    let bytes = 0
    const count = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length
        if (bytes > download.bytes) throw new Error('it is larger than 1 GB')
        hash.update(piece)
        yield piece
      }
    }
    await pipeline(body, count, createWriteStream(file, { mode: 0o600 }), { signal })
    return hash.digest('hex')
  }
  throw new Error('it redirects too often')
}
