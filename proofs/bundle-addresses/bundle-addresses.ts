import { execFile, execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { releaseKitAt } from '#apps/bff/src/testing/releases.ts'
import {
  printBundleSnippet,
  type SnippetChannel,
} from '#apps/web/src/features/releases/sites/snippets/snippet-texts.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { createDiskStorage } from '#packages/artifact-store/src/local-disk/disk-storage.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { parseManifests } from '#scripts/deploy/manifests.ts'
import { cuttingProxy } from './cutting-proxy.ts'

const fault: Fault = {
  file: 'artifact-store/src/select-range.ts',
  instead: 'Number(last)) : Number(first)',
  write: 'Number(last)) : 0',
}

/** Releases of a channel that are held, as Docket holds them. */
const heldReleases = 5
const bundleBytes = 300_000

type Deployment = { spec: { template: { spec: { initContainers: { command: string[] }[] } } } }

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A bundle whose two files name the same release. */
const makeBundle = (folder: string, number: number): Buffer => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), `release ${number}`)
  writeFileSync(join(folder, 'picture.bin'), randomBytes(bundleBytes))
  return execFileSync('tar', ['-czf', '-', '-C', folder, '.'], { maxBuffer: bundleBytes * 4 })
}

/** Commands of the init container, for folders of this computer. */
const initCommands = (of: SnippetChannel, site: string): string => {
  const [deployment] = parseManifests(printBundleSnippet(of, 'kubernetes')) as unknown as Deployment[]
  return deployment!.spec.template.spec.initContainers[0]!.command.at(-1)!
    .replaceAll('/site ', `'${site}' `)
    .replace(/\/site$/m, `'${site}'`)
}

const run = (program: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null
      resolve({ code, output: stdout + stderr })
    })
  })

/** Whether Compose accepts its snippets. Null where it is not installed. */
const checkCompose = async (channels: readonly SnippetChannel[], env: NodeJS.ProcessEnv): Promise<boolean | null> => {
  const cwd = temporaryFolder()
  const plugin = await run('docker', ['compose', 'version'], { cwd, env })
  const [program, first] = plugin.code === 0 ? (['docker', ['compose']] as const) : (['docker-compose', []] as const)
  for (const channel of channels) {
    writeFileSync(join(cwd, 'compose.yaml'), printBundleSnippet(channel, 'compose'))
    const { code } = await run(program, [...first, '-f', 'compose.yaml', 'config', '-q'], { cwd, env })
    if (code !== 0) return code === null ? null : false
  }
  return true
}

/** Channels move while the snippets download them through a proxy that cuts connections. */
export const proof: Proof = {
  name: 'bundle-addresses',
  bar: 'over 100 publications, none of the downloads that are cut and resumed by the snippets fails or mixes two releases, and a token of another channel reads no bundle, by name or by sum',
  fault,
  run: async ({ planted, quick }) => {
    const publications = quick ? 8 : 100
    const folder = temporaryFolder()
    const databases = await startDatabaseServer(temporaryFolder())
    const databaseUrl = await databases.database()
    const store = join(folder, 'store')
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data'), ARTIFACT_STORE_DIR: store }
    const docket = await startDocket(env, planted ? [fault] : [])
    const proxy = await cuttingProxy(docket.client.url)
    const kit = releaseKitAt(databaseUrl, createDiskStorage(store))
    const { pool } = kit
    onEnd(kit.close)
    const { rows } = await pool.query<{ id: string }>('select connection_id as id from connections')
    const site = await kit.addSite('docs.example.com', rows[0]!.id)
    await kit.addChannel(site, 'open')
    await pool.query(`update channels set access = 'public' where name = 'open'`)
    const makeToken = async (channelId: string) => {
      const sites = [{ siteId: site.siteId, channelId }]
      const made = await docket.client.post('/api/tokens', { name: 'CI', scope: 'read', expiresInDays: 1, sites })
      return ((await made.json()) as { token: string }).token
    }
    const [token, foreign] = [await makeToken(site.channels['production']!), await makeToken(site.channels['latest']!)]
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    // Nobody waits here.
    writeFileSync(join(bin, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.05\n', { mode: 0o755 })
    const variables = { ...plainEnvironment(), PATH: `${bin}:${process.env.PATH ?? ''}`, DOCKET_TOKEN: token }

    const released = new Map<string, number>()
    const publish = async (channel: string) => {
      const number = released.size + 1
      const bundle = makeBundle(join(folder, 'bundle'), number)
      released.set(hash(bundle), number)
      await kit.release(site, channel, bundle)
      await pool.query(
        `update releases r set is_held = false where number <= (select last_number from channels c where c.channel_id = r.channel_id) - $1`,
        [heldReleases],
      )
    }
    for (const channel of ['production', 'open']) await publish(channel)

    let [whole, failed, isMoving] = [0, 0, true]
    const trouble: string[] = []
    const download = async (reader: number) => {
      const of = {
        origin: proxy.url,
        site: site.label,
        channel: reader % 2 === 0 ? 'production' : 'open',
        isPublic: reader % 2 === 1,
      }
      for (let time = 0; isMoving || time === 0; time += 1) {
        const cwd = join(folder, `reader-${reader}-${time}`)
        const unpacked = join(cwd, 'site')
        mkdirSync(unpacked, { recursive: true })
        const isInit = time % 2 === 1
        const script = isInit ? initCommands(of, unpacked) : printBundleSnippet(of, 'curl')
        const { code, output } = await run('/bin/sh', ['-c', script], { cwd, env: variables })
        const isGood = () => {
          if (isInit) return readFileSync(join(unpacked, 'index.html'), 'utf8').startsWith('release ')
          return released.has(hash(readFileSync(join(cwd, 'bundle.tar.gz'))))
        }
        if (code === 0 && isGood()) whole += 1
        else {
          failed += 1
          trouble.push(output.trim().split('\n').slice(-2).join(' '))
          if (failed > 5) return
        }
      }
    }
    const readers = [0, 1, 2, 3].map(download)
    for (let moved = 0; moved < publications; moved += 1) {
      await publish(moved % 2 === 0 ? 'production' : 'open')
      await delay(quick ? 50 : 100)
    }
    isMoving = false
    await Promise.all(readers)

    // The newest releases of production; the other channel is public.
    const { rows: own } = await pool.query<{ sum: string }>(
      `select sum from releases where channel_id = $1 order by number desc limit 20`,
      [site.channels['production']],
    )
    const names = ['tar.gz', 'zip', 'sha256'].map((ending) => `/sites/${site.label}/production/bundle.${ending}`)
    const sums = own.flatMap(({ sum }) => [`/bundles/sha256/${sum}/x.tar.gz`, `/bundles/sha256/${sum}/x.zip`])
    let foreignReads = 0
    for (const path of [...names, ...sums]) {
      const response = await docket.client.get(path, { cookie: '', authorization: `Bearer ${foreign}` })
      await response.arrayBuffer()
      if (response.status !== 404) foreignReads += 1
    }
    const channels = [true, false].map((isPublic) => ({
      origin: proxy.url,
      site: site.label,
      channel: 'open',
      isPublic,
    }))
    const compose = quick ? null : await checkCompose(channels, variables)
    const { cut, resumed } = proxy.seen
    return {
      ok: failed === 0 && whole > 3 && resumed > 0 && foreignReads === 0 && compose !== false,
      figure: `${publications} publications, ${cut} downloads cut, ${resumed} resumed, ${whole} whole, ${failed} failed${trouble[0] === undefined ? '' : ` (${trouble[0]})`}; ${foreignReads} of ${names.length + sums.length} reads by a token of another channel; Compose ${compose === null ? 'not run' : compose ? 'accepts its snippets' : 'refuses a snippet'}`,
    }
  },
}
