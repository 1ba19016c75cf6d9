import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { WrittenFiles } from '@docket/site-exporter/testing/site'
import { unpackTar } from 'modern-tar'

/** Files of a packed bundle by path, as text, in the order they are packed. */
export const filesOfBundle = async (archive: Uint8Array): Promise<WrittenFiles> => {
  const tar = Readable.toWeb(Readable.from([archive]).pipe(createGunzip())) as ReadableStream<Uint8Array>
  const entries = await unpackTar(tar)
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString('utf8')]))
}

/** Downloads and unpacks a bundle behind a link. */
export const downloadBundle = async ({ bundleUrl }: { bundleUrl: string }): Promise<WrittenFiles> => {
  const response = await fetch(bundleUrl)
  if (response.status !== 200) throw new Error(`The bundle link answered ${response.status}`)
  return filesOfBundle(new Uint8Array(await response.arrayBuffer()))
}

/** Reads the report of an export from its bundle. */
export const readReport = (files: WrittenFiles) =>
  JSON.parse(files.get('export-report.json') ?? 'null') as {
    lines: { page: string | null; file: string; kind: string; what: string }[]
  }
