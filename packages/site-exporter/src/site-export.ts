import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

// `pnpm site:export <source> <folder>` exports a site without a service.
const usage = `Use: pnpm site:export <source> <folder> [--domain NAME] [--hidden-pages] [--fetch-host HOST] [--private-network NETWORK] [--cache FOLDER]
<source> is a folder, a git repository (git+https://host/path.git#ref:folder) or the https address of a documentation site.
render=<source> exports the Markdown of a folder or repository whose documentation tool is not read.
built=<source> takes a site as its generator wrote it: one of these, an archive, or the address of one (built=https://host/site.tar.gz#sha256=…).
<folder> is new or empty. --hidden-pages exports hidden pages and drafts too, reachable by their addresses only.
--fetch-host names another host whose pictures and documents are copied, and may be repeated.
--private-network names a private network that these hosts and a documentation site may be in, and may be repeated; LOCAL_MIRROR_NETWORKS does, too.
--cache names a folder for rendered pages: the next export with it renders only pages that changed.`

const options = {
  domain: { type: 'string' },
  'hidden-pages': { type: 'boolean' },
  'fetch-host': { type: 'string', multiple: true },
  'private-network': { type: 'string', multiple: true },
  cache: { type: 'string' },
} as const

/** Names in a folder; null when it doesn't exist. */
const listEntries = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error.code === 'ENOTDIR' ? new Error(`${folder} is a file. Name a folder that is new or empty.`) : error
  })

const summarizeCounts = (counts: Readonly<Record<string, number>>) => {
  const kinds = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return kinds.length === 0 ? 'No remarks.' : `Remarks: ${kinds.join(', ')}. export-report.json lists them.`
}

const runExport = async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [text, folder] = positionals
  if (text === undefined || folder === undefined || positionals.length > 2) throw new Error(usage)
  // pnpm changes to the root folder; paths are relative to the caller's.
  process.chdir(process.env['INIT_CWD'] ?? '.')
  // The parsers are slow to load, so their compiled code is cached. Only people who can change the code can write next to the packages.
  enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))
  const [{ exportSite }, { openSource }, { parseSource }, { createSiteSources }] = await Promise.all([
    import('./export-site.ts'),
    import('./open-source.ts'),
    import('@docket/sources/site-source'),
    import('@docket/sources/site-sources'),
  ])
  const source = parseSource(text)
  const target = resolve(folder)
  const entries = await listEntries(target)
  if (entries !== null && entries.length > 0)
    throw new Error(`${target} is not empty. Name a folder that is new or empty.`)
  // A new folder appears complete. An existing one may be a mount, which no rename can replace and whose parent may be read-only.
  const place = entries === null ? dirname(target) : target
  await mkdir(place, { recursive: true })
  const work = await mkdtemp(join(place, '.site-export-'))
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      rmSync(work, { recursive: true, force: true })
      process.exit(code)
    })
  const listed = process.env['LOCAL_MIRROR_NETWORKS']?.split(/[\s,]+/).filter(Boolean) ?? []
  const privateNetworks = [...listed, ...(values['private-network'] ?? [])]
  const sources = createSiteSources(join(work, 'repositories'), privateNetworks)
  try {
    const ordered = await sources.order(source, null, join(work, 'mirror'))
    const opened = await openSource(ordered, work, () => Promise.resolve())
    const domain = values.domain ?? (source.kind === 'mirror' ? new URL(source.url).hostname : 'docs.localhost')
    const site = join(work, 'site')
    const pages = await exportSite(opened, {
      domain,
      version: null,
      paths: null,
      hiddenPages: values['hidden-pages'] ?? false,
      fetch: { hosts: values['fetch-host'] ?? [], privateNetworks },
      target: site,
      cache: values.cache === undefined ? null : resolve(values.cache),
    })
    const report = JSON.parse(await readFile(join(site, 'export-report.json'), 'utf8')) as {
      counts: Record<string, number>
    }
    if (entries === null) await rename(site, target)
    else for (const name of await readdir(site)) await rename(join(site, name), join(target, name))
    process.stdout.write(
      `Wrote ${pages} ${pages === 1 ? 'page' : 'pages'} to ${target}.\n${summarizeCounts(report.counts)}\n`,
    )
  } finally {
    await sources.close()
    await rm(work, { recursive: true, force: true })
  }
}

runExport().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  const isPrivate = /private or has a special meaning/.test(message)
  const hint = isPrivate ? 'If the site is yours, name its network with --private-network, such as 10.20.0.0/16.\n' : ''
  process.stderr.write(`${message}\n${hint}${isUsage ? `${usage}\n` : ''}`)
  process.exitCode = 1
})
