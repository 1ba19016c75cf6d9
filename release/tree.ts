import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { isCarried, isCarriedFromPackage } from './contents.ts'
import type { Entry } from './pack.ts'
import type { Architecture } from './platforms.ts'
import { ReleaseProblem, run } from './run.ts'

/** Unpacks a commit into a folder of its own: what is not committed cannot get in. */
export const exportCommit = async (root: string, commit: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const archive = `${folder}.tar`
  await run(root, ['git', 'archive', '--format=tar', `--output=${archive}`, commit])
  await run(folder, ['tar', '-xf', archive])
}

/** Installs every package for this machine, and builds the page into `apps/web/dist` and the user guide into `apps/bff/dist`. */
export const buildPage = async (source: string): Promise<void> => {
  await run(source, ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'])
  await run(join(source, 'apps', 'web'), [process.execPath, 'node_modules/vite/bin/vite.js', 'build'])
  await run(source, [process.execPath, 'scripts/build-guide.ts'])
}

/** Makes an exported source one for a machine: pnpm lists the packages of this one otherwise. */
const chooseMachine = async (source: string, architecture: Architecture): Promise<void> => {
  const file = join(source, 'pnpm-workspace.yaml')
  const settings = (await readFile(file, 'utf8')).replace(/^supportedArchitectures: .*\n/m, '')
  const machine = `{ os: [linux], cpu: [${architecture}], libc: [glibc] }`
  await writeFile(file, `${settings}supportedArchitectures: ${machine}\n`)
}

/** Replaces the packages of a built source by those for a machine, for lists of what a release contains. */
export const installForLists = async (source: string, architecture: Architecture): Promise<void> => {
  await chooseMachine(source, architecture)
  await run(source, ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'])
}

/** Installs what the server needs on a machine. Packages of the page alone, such as React, are in the built page. */
export const installServer = async (tree: string, architecture: Architecture): Promise<void> => {
  await chooseMachine(tree, architecture)
  await run(tree, [
    'pnpm',
    'install',
    '--prod',
    '--frozen-lockfile',
    '--prefer-offline',
    // The only one would make links of PostgreSQL, for this machine alone.
    '--ignore-scripts',
    '--filter=@docket/bff...',
  ])
}

const isInPackage = (path: string) => `/${path}`.includes('/node_modules/')

const read = async (root: string, path: string): Promise<Entry[]> => {
  const file = join(root, path)
  const stat = await lstat(file)
  if (stat.isDirectory()) {
    const names = await readdir(file)
    return (await Promise.all(names.map((name) => read(root, path === '' ? name : `${path}/${name}`)))).flat()
  }
  if (!(isInPackage(path) ? isCarriedFromPackage(path) : isCarried(path))) return []
  if (stat.isSymbolicLink()) {
    const target = await readlink(file)
    const leads = normalize(join(dirname(path), target))
    if (target.startsWith('/') || leads.startsWith('..'))
      throw new ReleaseProblem(`${path} leads out of the release, to ${target}.`)
    return [{ path, type: 'symlink', mode: 0o777, target }]
  }
  if (!stat.isFile()) throw new ReleaseProblem(`${path} is neither a file nor a link.`)
  return [{ path, type: 'file', mode: stat.mode & 0o100 ? 0o755 : 0o644, size: stat.size, file }]
}

/** Links beside the libraries of PostgreSQL, which its install script would make on the machine itself. */
const postgresLinks = async (tree: string, entries: readonly Entry[]): Promise<Entry[]> => {
  const list = entries.find(({ path }) => path.endsWith('/native/pg-symlinks.json'))
  if (list === undefined) throw new ReleaseProblem('The embedded PostgreSQL is not installed.')
  const folder = dirname(dirname(list.path))
  const links = JSON.parse(await readFile(join(tree, list.path), 'utf8')) as { source: string; target: string }[]
  return links.map(({ source, target }) => ({
    path: `${folder}/${target}`,
    type: 'symlink',
    mode: 0o777,
    target: source.slice(source.lastIndexOf('/') + 1),
  }))
}

/** Everything of an installed tree that a release carries. Throws when a part that Docket needs is missing. */
export const listTree = async (tree: string): Promise<Entry[]> => {
  const files = (
    await Promise.all(
      ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'apps', 'packages', 'node_modules', 'docs', 'deploy']
        .filter((name) => existsSync(join(tree, name)))
        .map((name) => read(tree, name)),
    )
  ).flat()
  const links = await postgresLinks(tree, files)
  const paths = new Set(files.map(({ path }) => path))
  for (const needed of ['apps/bff/src/docket.ts', 'apps/web/dist/index.html', 'docs/guide/docs.json', 'LICENSE'])
    if (!paths.has(needed)) throw new ReleaseProblem(`${needed} is missing from this commit or its build.`)
  if (!files.some(({ path }) => path.startsWith('apps/bff/dist/guide/') && path.endsWith('/site.zip')))
    throw new ReleaseProblem('apps/bff/dist/guide is missing from the build.')
  const linked = new Set(links.map(({ path }) => path))
  return [...files.filter(({ path }) => !linked.has(path)), ...links]
}
