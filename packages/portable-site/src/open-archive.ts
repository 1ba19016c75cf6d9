import { createHash } from 'node:crypto'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readArchive } from '@docket/site-bundle/archive/read-archive'
import { usualBounds } from '@docket/site-bundle/bounds'
import { allowPublicAnd } from '@docket/outbound/addresses'
import { createOutboundAgent, type OutboundAgent } from '@docket/outbound/outbound'
import type { LeftOut } from '@docket/sources/source-folder'

/** The content is unpacked to a disk, so less of it may come than of an upload. */
const bounds = { ...usualBounds, contentBytes: 2 * 1024 ** 3, fileBytes: 256 * 1024 ** 2 }
const download = { bytes: 1024 ** 3, hops: 5, connectMs: 10_000, wholeMs: 15 * 60_000 }

const reasons: Readonly<Record<string, string>> = {
  'system-file': 'macOS or Windows added it to the archive',
  'unusable-name': 'a folder can’t have a file of this name',
  'dangling-link': 'it is a link to nothing',
  'repeated-file': 'the archive has it several times, so the last one counts',
}

/** Unpacks an archive into the new folder `target`. Rejects with `ArchiveRefused` for an archive that is unsafe, damaged or too large. */
export const unpackArchive = async (file: string, target: string): Promise<LeftOut[]> => {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const place = async (path: string) => {
    const to = join(target, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    // A second file of the same name replaces the first.
    await rm(to, { force: true })
    return to
  }
  const { sources, remarks } = await readArchive(file, bounds, async ({ path, content }) => {
    await pipeline(content, createWriteStream(await place(path), { mode: 0o600, flags: 'wx' }))
  })
  for (const [path, source] of sources) if (path !== source) await copyFile(join(target, source), await place(path))
  return remarks.map(({ rule, path }) => ({ file: path, reason: reasons[rule] ?? 'its name is in another encoding' }))
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
