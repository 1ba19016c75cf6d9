import { mkdir, rename, rm, stat, writeFile, lstat, readdir, statfs } from 'node:fs/promises'
import { dirname, resolve, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import { syncToDisk } from '#ground/data-folder/private-file.ts'
import { redactLinks, withoutSecrets } from '#ground/log/redact.ts'
import { checkAll, findDataDir, readSettings } from './check/check.ts'
import { formatFindings } from './check-config.ts'
import type { Command } from './command.ts'
import { readDatabaseFacts } from './support/database-facts.ts'
import { findKnownSecrets } from './support/known-secrets.ts'
import { listVersions } from './version.ts'
import { describeFailure } from '#ground/log/failure.ts'
import { environment } from '#ground/config/environment.ts'
import { VariableDescription } from '#ground/config/variable.ts'
import { unshownSettings } from '#process/commands/support/known-secrets.ts'

/** Every setting with its value, one line each. Secrets are only `set` or `not set`. */
const formatSettings = (env: NodeJS.ProcessEnv): string =>
  Object.entries(environment.shape)
    .map(([name, schema]) => {
      const value = env[name]?.trim() || undefined
      const { byDefault } = VariableDescription.parse(schema.meta())
      if (value === undefined) return `${name}: not set${byDefault === undefined ? '' : ` (default ${byDefault})`}`
      return `${name}: ${unshownSettings.includes(name) ? 'set' : redactLinks(value).replaceAll(/\s+/g, ' ')}`
    })
    .join('\n')

const maxMs = 30_000

type Use = { bytes: number; files: number }

const measure = async (path: string, until: number): Promise<Use> => {
  const found = await lstat(path).catch(() => null)
  if (found === null) return { bytes: 0, files: 0 }
  const names = found.isDirectory() && performance.now() < until ? await readdir(path).catch(() => []) : []
  const use = { bytes: found.blocks * 512, files: found.isDirectory() ? 0 : 1 }
  for (const name of names) {
    const below = await measure(join(path, name), until)
    use.bytes += below.bytes
    use.files += below.files
  }
  return use
}

/** Free room of the disk of a folder, and what each entry of it takes. Stops counting after half a minute. */
const readDiskUse = async (folder: string): Promise<unknown> => {
  try {
    const until = performance.now() + maxMs
    const { bavail, blocks, bsize } = await statfs(folder)
    const entries = []
    for (const name of (await readdir(folder)).toSorted())
      entries.push({ name, ...(await measure(join(folder, name), until)) })
    const complete = performance.now() < until
    return { folder, freeBytes: bavail * bsize, sizeBytes: blocks * bsize, complete, entries }
  } catch (error) {
    return { failed: describeFailure(error) }
  }
}

const contents = {
  'README.txt': 'This list.',
  'versions.txt': 'Versions of Docket, Node and PostgreSQL, and the flags of Node.',
  'settings.txt': 'All settings. Secrets are only "set" or "not set"; addresses stay, without credentials.',
  'check-config.txt': 'The result of check-config, without connecting anywhere.',
  'database.json':
    'Versions, sizes of tables, counts of records by state, connections without keys, audit actions by count.',
  'disk.json': 'Free room, and what each entry of DATA_DIR takes.',
} as const

const readme = (madeAt: string) => `Support bundle of Docket, made ${madeAt}.

${Object.entries(contents)
  .map(([name, about]) => `${name}: ${about}`)
  .join('\n')}

It holds host names and folders, and no keys, passwords, tokens, presigned links or names of people. Read it before you
send it. Log lines are not in it, because Docket writes them to standard error: add those of your service manager, such
as journalctl -u docket --since -1h, or docker logs.
`

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const collect = async (env: NodeJS.ProcessEnv, madeAt: string): Promise<Record<keyof typeof contents, string>> => {
  const dataDir = findDataDir(env)
  const { config } = await readSettings(env)
  const databaseUrl = (config?.databaseDirectUrl ?? config?.databaseUrl)?.() ?? null
  const secrets = await findKnownSecrets(env, dataDir, config)
  const flags = [...process.execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').trim()
  const texts = {
    'README.txt': readme(madeAt),
    'versions.txt': [...(await listVersions()), `Flags of Node: ${flags || 'none'}`, ''].join('\n'),
    'settings.txt': `${formatSettings(env)}\n`,
    'check-config.txt': `${formatFindings(await checkAll(env, { reach: false }))}\n`,
    // Without a valid configuration, nobody knows which database it is.
    'database.json': asJson(
      config === null ? { failed: 'see check-config.txt' } : await readDatabaseFacts({ databaseUrl, dataDir }),
    ),
    'disk.json': asJson(await readDiskUse(dataDir)),
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, withoutSecrets(redactLinks(text), secrets)]),
  ) as typeof texts
}

/** Writes a private file that appears whole under its name or not at all. */
const writeWhole = async (file: string, bytes: Uint8Array): Promise<void> => {
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(unfinished, bytes, { mode: 0o600, flag: 'wx', flush: true })
    await rename(unfinished, file)
    await syncToDisk(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Writes facts that help support to one file, without secrets, while the Docket of this environment runs or not. */
export const supportBundle: Command = async ({ args, env, from, usage, print }) => {
  const [named, ...more] = args
  if (more.length > 0 || named?.startsWith('-') === true) throw new Error(usage)
  const madeAt = new Date()
  const stamp = madeAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const file = resolve(from, named ?? `docket-support-${stamp}.tar.gz`)
  if (await stat(file).catch(() => undefined)) throw new Error(`${file} exists already. Name another file.`)
  const texts = await collect(env, madeAt.toISOString())
  const entries = Object.entries(texts).map(([name, body]) => ({
    header: { name: `docket-support/${name}`, size: Buffer.byteLength(body), mode: 0o600, mtime: madeAt },
    body,
  }))
  await writeWhole(file, await promisify(gzip)(await packTar(entries)))
  print(`Wrote ${file}:`)
  for (const [name, about] of Object.entries(contents)) print(`  ${name.padEnd(18)}${about}`)
  print('Log lines are not in it. Read it before you send it.')
  return 0
}
