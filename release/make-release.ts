import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildSbom, type Addition, type Bom } from '#scripts/supply/sbom.ts'
import { buildDebianLayer, type DebianPackage } from './debian-root.ts'
import { hashFile, openDebianLayer, packDocketLayer, writeImage } from './image.ts'
import { formatLicences, packagesInBom } from './licences.ts'
import type { SigningKey } from './minisign-key.ts'
import { signContent } from './minisign.ts'
import { archiveName, imageName, maxBytes } from './names.ts'
import { fetchNode } from './node-program.ts'
import type { ReleaseOptions } from './options.ts'
import { packTar, withDirectories, writeZstd, type Entry } from './pack.ts'
import type { Architecture } from './platforms.ts'
import { formatReadme } from './readme.ts'
import { ReleaseProblem, run } from './run.ts'
import { buildPage, exportCommit, installForLists, installServer, listTree } from './tree.ts'

/** A release being made: the commit, its time, and a folder for everything on the way. */
type Making = {
  root: string
  work: string
  commit: string
  version: string
  epochSeconds: number
  say: (line: string) => void
}

type Built = { files: string[]; entries: Entry[]; bom: Bom }

const toDate = ({ epochSeconds }: Pick<Making, 'epochSeconds'>) => new Date(epochSeconds * 1000)
const text = (path: string, content: string, mode = 0o644): Entry => ({
  path,
  type: 'file',
  mode,
  content: Buffer.from(content),
})
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

const checkSize = async (file: string, max: number, say: Making['say']) => {
  const { size } = await stat(file)
  if (size > max) throw new ReleaseProblem(`${basename(file)} has ${megabytes(size)}, and may have ${megabytes(max)}.`)
  say(`${basename(file)}: ${megabytes(size)}`)
}

const formatBom = (bom: Bom) => `${JSON.stringify(bom, null, 2)}\n`

/** Lists what a release contains, with the code of the commit itself. */
const writeLists = async (making: Making, source: string, architecture: Architecture, name: string) => {
  await installForLists(source, architecture)
  const bomFile = join(making.work, `${name}.cdx.json`)
  await run(source, [process.execPath, 'scripts/supply/print-sbom.ts', bomFile], {
    SOURCE_DATE_EPOCH: String(making.epochSeconds),
  })
  const bom = JSON.parse(await readFile(bomFile, 'utf8')) as Bom
  const licences = formatLicences(packagesInBom(source, bom))
  const licenceFile = join(making.work, `${name}.licences.txt`)
  await writeFile(licenceFile, licences)
  return { bom, bomFile, licences, licenceFile }
}

const buildArchive = async (making: Making, source: string, architecture: Architecture): Promise<Built> => {
  const { root, work, commit, version, say } = making
  const name = archiveName(version, architecture)
  say(`Building ${name} …`)
  const tree = join(work, `tree-${architecture}`)
  await exportCommit(root, commit, tree)
  await installServer(tree, architecture)
  for (const app of ['apps/web', 'apps/bff']) {
    await mkdir(join(tree, app), { recursive: true })
    await run(work, ['cp', '-R', join(source, app, 'dist'), join(tree, app, 'dist')])
  }
  const nodeFolder = join(work, `node-${architecture}`)
  await mkdir(nodeFolder)
  const lists = await writeLists(making, source, architecture, name)
  const entries = [
    ...(await listTree(tree)),
    ...(await fetchNode(architecture, nodeFolder)),
    text('docket', await readFile(join(tree, 'release/launcher.sh'), 'utf8'), 0o755),
    text('README.md', formatReadme(version, commit, architecture)),
    text('LICENSES.txt', lists.licences),
    // Read by `docket version`.
    text('COMMIT', `${commit}\n`),
  ]
  const file = join(work, `${name}.tar.zst`)
  const below = entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}` }))
  await writeZstd(packTar(withDirectories(below), toDate(making)), file)
  await checkSize(file, maxBytes.archive, say)
  return { files: [file, lists.bomFile, lists.licenceFile], entries, bom: lists.bom }
}

const debianAddition = ({ name, version, architecture }: DebianPackage): Addition => {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  return { component: { 'bom-ref': purl, type: 'library', name, version, purl }, neededBy: null }
}

const buildImage = async (making: Making, { entries, bom }: Built, mirror: string | null): Promise<string[]> => {
  const { work, version, commit, epochSeconds, say } = making
  const name = imageName(version)
  say(`Building ${name} …`)
  const created = toDate(making)
  const { file: debianFile, tar, packages } = await buildDebianLayer(work, epochSeconds, mirror)
  const imageBom = formatBom(buildSbom(bom, packages.map(debianAddition), created.toISOString()))
  const bomFile = join(work, `${name}.cdx.json`)
  await writeFile(bomFile, imageBom)
  const layers = [
    await openDebianLayer(tar, debianFile),
    await packDocketLayer(entries, imageBom, created, join(work, 'docket.tar.gz')),
  ]
  const file = join(work, `${name}.tar`)
  await writeImage(layers, { version, commit, created }, file)
  await checkSize(file, maxBytes.image, say)
  return [file, bomFile]
}

/** Content of SHA256SUMS, for `sha256sum -c`. */
const formatSums = async (files: readonly string[]) => {
  const lines = await Promise.all(files.map(async (file) => `${await hashFile(file)}  ${basename(file)}\n`))
  return lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join('')
}

/** Time of every file in a release, in seconds. */
const readEpoch = async (root: string, commit: string): Promise<number> => {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given === undefined || given === '') return Number(await run(root, ['git', 'show', '-s', '--format=%ct', commit]))
  if (!/^\d{1,11}$/.test(given)) throw new ReleaseProblem('SOURCE_DATE_EPOCH must be a number of seconds since 1970.')
  return Number(given)
}

/**
 * Builds the release of a commit below `root` into a folder, with checksums, and a signature if there is a key. `work`
 * is an empty folder for everything on the way. The same commit and the same packages give the same bytes, apart from
 * the signature. Resolves with the paths of the files. Throws `ReleaseProblem`.
 */
export const makeRelease = async (
  root: string,
  work: string,
  options: ReleaseOptions,
  key: SigningKey | null,
  say: (line: string) => void,
): Promise<string[]> => {
  const commit = (await run(root, ['git', 'rev-parse', '--verify', `${options.commit}^{commit}`])).trim()
  const epochSeconds = await readEpoch(root, commit)
  const source = join(work, 'source')
  await exportCommit(root, commit, source)
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string }
  const making = { root, work, commit, version, epochSeconds, say }
  say('Building the page and the user guide …')
  await buildPage(source)
  const files: string[] = []
  for (const architecture of options.architectures) {
    const built = await buildArchive(making, source, architecture)
    files.push(...built.files)
    if (architecture === 'arm64') say(`${archiveName(version, architecture)} was built here and not run.`)
    if (architecture === 'x64' && options.image) files.push(...(await buildImage(making, built, options.debianMirror)))
  }
  const sums = await formatSums(files)
  await mkdir(options.out, { recursive: true })
  const place = (file: string) => join(options.out, basename(file))
  // Checksums of an earlier release here would not fit while the files change.
  for (const name of ['SHA256SUMS', 'SHA256SUMS.minisig']) await rm(place(name), { force: true })
  for (const file of files) await copyFile(file, place(file))
  if (key !== null) {
    const comment = `docket ${version} commit:${commit} file:SHA256SUMS hashed`
    await writeFile(place('SHA256SUMS.minisig'), signContent(Buffer.from(sums), key, comment))
  }
  await writeFile(place('SHA256SUMS'), sums)
  return [...files.map(place), place('SHA256SUMS'), ...(key === null ? [] : [place('SHA256SUMS.minisig')])]
}
