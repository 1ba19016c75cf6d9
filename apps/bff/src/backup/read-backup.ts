import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createTarDecoder } from 'modern-tar'
import { Manifest, manifestName } from './manifest.ts'
import { BackupRefused } from './refused.ts'
import type { OpenWith } from './encryption.ts'
import { readSealed } from './sealed-file.ts'

/** One file of a backup. Its content must be read before the next one is asked for. */
export type Entry = { name: string; content: Readable }

async function* entriesOf(read: () => Promise<Readable>): AsyncGenerator<Entry> {
  const bytes = Readable.toWeb(await read())
  const entries = (bytes as ReadableStream<Uint8Array>).pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of entries as AsyncIterable<{ header: { name: string }; body: ReadableStream }>)
    yield { name: header.name, content: Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) }
}

/**
 * Opens a backup after its last byte was found to be what was written. `entries` are its files after the manifest, in their order.
 * Errors: `BackupRefused` for a file that was cut off or altered, that `openWith` does not open, or that is of a newer layout.
 */
export const readBackup = async (
  file: string,
  openWith: OpenWith | null,
): Promise<{ manifest: Manifest; entries: AsyncGenerator<Entry> }> => {
  const entries = entriesOf(await readSealed(file, openWith))
  const first = await entries.next()
  if (first.done === true || first.value.name !== manifestName)
    throw new BackupRefused(`${file} is not a backup of Docket.`)
  const parsed = Manifest.safeParse(JSON.parse(await text(first.value.content)))
  if (!parsed.success)
    throw new BackupRefused(`${file} was written by another version of Docket, whose backups this one cannot read.`)
  return { manifest: parsed.data, entries }
}
