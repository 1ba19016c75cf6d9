import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { onEnd } from '#bench/harness/cleanup.ts'
import { createS3Storage } from '#packages/artifact-store/src/s3/s3-storage.ts'
import { hasSwift, startSwift } from '#packages/artifact-store/src/testing/swift.ts'
import { hasSshServer, startSshServer } from '#packages/site-delivery/src/testing/ssh-server.ts'
import type { SiteContent } from '#packages/site-delivery/src/delivery-target.ts'
import { dataFolder, temporaryFolder } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import type { PlayOptions, Proof } from '#proofs/harness/proof.ts'
import { openTarget, buildSite, type TargetOrder } from './targets.ts'

// One for each layout, and one for drafts.
const fault: Fault = {
  file: 'layouts/release-folders.ts',
  instead: '      await fill(site, draft, { current, known }, watch)\n',
  write: '      await files.replaceLink(link, draft)\n      await fill(site, draft, { current, known }, watch)\n',
}

const worker = new URL('worker.ts', import.meta.url).pathname
const run = promisify(execFile)

/** A target, and what readers get from it. Null for a missing file. `served`: folder of a web server, in that of the target. */
type Played = {
  order: TargetOrder
  read: (path: string) => Promise<string | null>
  isOneStep: boolean
  root?: string
  served?: string
}

const playFolder = (): Played => {
  const folder = temporaryFolder()
  const read = (path: string) => readFile(join(folder, 'current', path), 'utf8').catch(() => null)
  return {
    order: { kind: 'folder', options: { path: folder, keep: 1, within: [dirname(folder)] } },
    read,
    isOneStep: true,
    root: folder,
    served: join(folder, 'current'),
  }
}

const playGit = async (): Promise<Played> => {
  const folder = temporaryFolder()
  const repository = join(folder, 'site.git')
  await run('git', ['init', '--quiet', '--bare', repository])
  const read = (path: string) =>
    run('git', ['--git-dir', repository, 'cat-file', 'blob', `pages:${path}`]).then(
      ({ stdout }) => stdout,
      () => null,
    )
  const machine = { repositories: [repository], folders: [] }
  const options = { url: repository, branch: 'pages', folder: '', credential: null, machine }
  return {
    order: { kind: 'git', options: { ...options, workFolder: join(dataFolder(), 'work') } },
    read,
    isOneStep: true,
  }
}

const playSftp = async (): Promise<Played[]> => {
  const { port, hostKey, login, stop } = await startSshServer(temporaryFolder())
  onEnd(stop)
  const play = (isOneStep: boolean): Played => {
    const folder = join(temporaryFolder(), 'www')
    const layout = isOneStep ? { kind: 'releases' as const, keep: 1 } : { kind: 'in_place' as const, graceMs: 10 }
    const served = isOneStep ? join(folder, 'current') : folder
    const read = (path: string) => readFile(join(served, path), 'utf8').catch(() => null)
    return {
      order: { kind: 'sftp', options: { host: '127.0.0.1', port, hostKey, login, folder, layout } },
      read,
      isOneStep,
      root: folder,
      served,
    }
  }
  return [play(true), play(false)]
}

const playS3 = async (): Promise<Played> => {
  const { options, stop } = await startSwift()
  onEnd(stop)
  const storage = createS3Storage(options, () => new Date())
  onEnd(() => storage.close())
  const { secretAccessKey, ...rest } = options
  const read = async (path: string) => {
    // Its keys are plain names, and those of sites are not.
    if (!/^[\w./-]+$/.test(path)) return null
    const content = await storage.read(path)
    return content === null ? null : text(content)
  }
  return {
    order: { kind: 's3', options: { ...rest, prefix: '', graceMs: 10 }, secret: secretAccessKey() },
    read,
    isOneStep: false,
  }
}

const readSite = async (site: SiteContent, read: Played['read']) => {
  const seen = await Promise.all(
    site.files.map(async ({ path }) => {
      const [found, wanted] = await Promise.all([read(path), site.open(path).then((content) => text(content))])
      return { path, found, isSame: found === wanted }
    }),
  )
  return new Map(seen.map((one) => [one.path, one]))
}

const old = buildSite('one')
const isPlain = ({ path }: { path: string }) => /^[\w./-]+$/.test(path)

/** What readers see that is neither the old site nor the new one. Null when all is well. */
const findFault = async ({ read, isOneStep }: Played, build: string): Promise<string | null> => {
  const [first, second] = [await readSite(old, read), await readSite(buildSite(build), read)]
  if (isOneStep) {
    const isWhole = [first, second].some((site) => [...site.values()].every(({ isSame }) => isSame))
    return isWhole ? null : 'the site is neither the old one nor the new one'
  }
  // Page by page: each is there, old or new, and has its script.
  for (const { path, type } of old.files.filter(isPlain)) {
    if (type !== 'text/html') continue
    const shown = first.get(path)!.isSame ? 'one' : second.get(path)!.isSame ? build : null
    if (shown === null) return `${path} is broken`
    if ((shown === 'one' ? first : second).get(`app-${shown}.js`)!.isSame !== true) return `${path} has no script`
  }
  return null
}

/** A draft in a folder, links not followed. `pattern`: what its path looks like. */
const findDraft = async (folder: string | undefined, pattern: RegExp): Promise<string | null> => {
  const real = folder === undefined ? null : await realpath(folder).catch(() => null)
  const paths = real === null ? [] : await readdir(real, { recursive: true })
  const draft = paths.find((path) => pattern.test(path))
  return draft === undefined ? null : `the draft ${draft} is left`
}

const isWhole = async (site: SiteContent, { read }: Played) => {
  const seen = await readSite(site, read)
  return site.files.filter(isPlain).every(({ path }) => seen.get(path)!.isSame)
}

/** Kills a delivery at each of its steps, or at every seventh one. */
const playTarget = async (played: Played, { planted, quick }: PlayOptions) => {
  const deliver = async (site: SiteContent) => {
    const target = await openTarget(played.order)
    await target.deliver(site, { onProgress: () => {}, signal: new AbortController().signal })
    await target.close()
  }
  const found: string[] = []
  let kills = 0
  for (let step = 0; ; step += quick ? 7 : 1) {
    await deliver(old)
    // A new one each time: a bundle that a folder already has is only switched to.
    const build = `build${step}`
    const next = buildSite(build)
    const env = {
      ...process.env,
      ...plantedEnvironment(planted ? [fault] : []),
      TARGET: JSON.stringify(played.order),
      BUILD: build,
      KILL_AT: String(step),
    }
    const child = spawn(process.execPath, [worker], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const end = onEnd(() => void child.kill('SIGKILL'))
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    await end()
    const broken = await findFault(played, build)
    if (broken !== null) found.push(`killed at step ${step}, ${broken}`)
    const draft = await findDraft(played.served, /(^|\/)\.docket-/)
    if (draft !== null) found.push(`killed at step ${step}, in what readers get, ${draft}`)
    // It goes on where it ended, or gives way to another bundle.
    const then = step % 2 === 0 ? next : old
    const problem = await deliver(then).then(
      () => null,
      (error: Error) => error.message,
    )
    if (problem !== null || !(await isWhole(then, played))) {
      found.push(`killed at step ${step}, it did not go on${problem === null ? '' : `: ${problem}`}`)
      return { kills, found }
    }
    const left = await findDraft(played.root, /(^|\/)\.docket(-|\/draft-)/)
    if (left !== null) found.push(`after step ${step} and another delivery, ${left}`)
    if (signal !== 'SIGKILL') {
      if (code !== 0) throw new Error(`a delivery to ${played.order.kind} ended with ${code}`)
      return { kills, found }
    }
    kills += 1
  }
}

/** Deliveries are killed at each of their steps, to every kind of target. */
export const proof: Proof = {
  name: 'deliveries',
  bar: 'after a kill -9 at every step, folder, git and SFTP have the old site or the new one, S3 and SFTP in place every page whole; readers get no draft; each delivery goes on, and leaves none',
  fault,
  run: async (options) => {
    const missing = [...(hasSshServer ? [] : ['openssh-server']), ...(hasSwift ? [] : ['OpenStack Swift'])]
    if (missing.length > 0 && !options.quick) throw new Error(`not installed: ${missing.join(', ')}`)
    const local = [playFolder(), await playGit()]
    const targets = options.quick ? local : [...local, ...(await playSftp()), await playS3()]
    const counts: string[] = []
    const found: string[] = []
    for (const played of targets) {
      const { kind } = played.order
      const result = await playTarget(played, options)
      counts.push(`${kind}${kind === 'sftp' && !played.isOneStep ? ' in place' : ''} ${result.kills}`)
      found.push(...result.found.map((one) => `${kind}: ${one}`))
    }
    return {
      ok: found.length === 0,
      figure: `kills: ${counts.join(', ')}; ${found.length} faults ${found.slice(0, 3).join('; ')}`.trim(),
    }
  },
}
