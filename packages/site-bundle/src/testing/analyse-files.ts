import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { analyseBundle } from '#analyse-bundle.ts'
import type { Manifest } from '#manifest.ts'
import type { Report } from '#report.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type Tree = Readonly<Record<string, string | Buffer>>

/** Packs files in a folder `site`. Returns the path of the archive. */
export const packFiles = async (files: Tree): Promise<string> => {
  const entries = Object.entries(files).map(([name, content]) => {
    const body = Buffer.from(content)
    return { header: { name: `site/${name}`, size: body.length }, body }
  })
  const file = join(await temporaryFolder(), 'bundle')
  await writeFile(file, gzipSync(await packTar(entries)))
  return file
}

export const readStored = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(gunzipSync(await readFile(join(folder, name))).toString())

/** Reads and checks a bundle of these files as Docket does. Paths in the result begin with `site/`. */
export const analyseFiles = async (files: Tree): Promise<{ manifest: Manifest; report: Report }> => {
  const folder = await temporaryFolder()
  const ignore = { onProgress: () => {}, onFailure: () => {} }
  await analyseBundle({ file: await packFiles(files), folder }, ignore, new AbortController().signal)
  const manifest = (await readStored(folder, 'manifest.json.gz')) as Manifest
  return { manifest, report: (await readStored(folder, 'report.json.gz')) as Report }
}
