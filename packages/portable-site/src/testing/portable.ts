import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSourceFolder } from '@docket/sources/source-folder'
import { analyseFiles, type Tree } from '@docket/site-bundle/testing/analyse-files'
import { onTestFinished } from 'vitest'
import type { BuiltSite, PortableOrder } from '#built-site.ts'
import { makePortable } from '#make-portable.ts'

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portable-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const writeTree = async (tree: Tree): Promise<string> => {
  const folder = await makeFolder()
  for (const [file, content] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
  return folder
}

type Report = {
  pages: number
  counts: Record<string, number>
  otherHosts: Record<string, number>
  lines: { what: string; file: string }[]
}

/** Makes a bundle of a built site. `files` has the bundle's files by path. */
export const makeBundle = async (
  tree: Tree,
  { site = {}, ...order }: Partial<PortableOrder> & { site?: Partial<BuiltSite> } = {},
) => {
  const target = await makeFolder()
  const folder = await openSourceFolder(await writeTree(tree))
  const pages = await makePortable(
    { folder, mount: null, origins: [], ...site },
    { domain: 'docs.example.com', version: null, target, paths: null, ...order },
  )
  const files: Record<string, Buffer> = {}
  for (const file of (await openSourceFolder(target)).files) files[file] = await readFile(join(target, file))
  const read = (file: string) => files[file]?.toString() ?? null
  const report = JSON.parse(read('export-report.json')!) as Report
  return { target, files, read, report, pages, check: () => analyseFiles(files) }
}
