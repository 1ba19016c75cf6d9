import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Manifest } from '#manifest.ts'
import type { Report } from '#report.ts'

const compress = promisify(gzip)

/** A reader sees either the old file or the new one, never a part. */
const writeGzippedJson = async (file: string, value: unknown) => {
  await writeFile(`${file}.new`, await compress(JSON.stringify(value)))
  await rename(`${file}.new`, file)
}

export const writeManifest = (folder: string, manifest: Manifest): Promise<void> =>
  writeGzippedJson(join(folder, 'manifest.json.gz'), manifest)

export const writeReport = (folder: string, report: Report): Promise<void> =>
  writeGzippedJson(join(folder, 'report.json.gz'), report)
