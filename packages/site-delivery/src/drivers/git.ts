import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertSafePaths, countBytes, planDelivery } from '#delivered-paths.ts'
import { DeliveryFailed, type DeliveryTarget, type DeliveryWatch, type SiteContent } from '#delivery-target.ts'
import { hashCommitFiles, writeCommit } from './git-objects.ts'
import { type GitRemote, type RemoteSession, withRemote } from './git-remote.ts'

/** A branch of a repository. `folder` is the place in it, without leading and trailing slashes; empty for its root. */
export type GitTargetOptions = GitRemote & { branch: string; folder: string }

const maxAttempts = 4
const stateName = '.docket/delivery.json'
const localRef = 'refs/heads/delivery'

const noJekyll = '.nojekyll'
/** Without `.nojekyll`, GitHub Pages leaves out these files and folders. */
const droppedByJekyll = /(?:^|\/)[_.#~]|~(?:\/|$)|(?:^|\/)node_modules\//
/** Hosts of branches read these, so no delivery removes them. */
const keptNames = ['CNAME', noJekyll]

/** Record of a delivery in the branch, which distinguishes its files from those of others. */
type State = { version: 1; sum: string; files: Record<string, string> }
type Tip = { commit: string | null; state: State | null }

/** Makes one commit for each delivery. Never rewrites commits by others, and does not change their files. */
export const createGitTarget = (options: GitTargetOptions): DeliveryTarget => {
  const { branch } = options
  const ref = `refs/heads/${branch}`
  const start = options.folder === '' ? '' : `${options.folder}/`

  const readTip = async ({ git, over, fetch, url }: RemoteSession, signal: AbortSignal): Promise<Tip> => {
    await git(['check-ref-format', ref]).catch(() => {
      throw new DeliveryFailed(`“${branch}” cannot be the name of a branch.`)
    })
    const line = (await over(['ls-remote', '--', url, ref], signal)).split('\n').find((one) => one.endsWith(`\t${ref}`))
    if (line === undefined) return { commit: null, state: null }
    const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--depth=1']
    await fetch([...quietly, '--', url, `+${ref}:refs/heads/tip`], signal)
    const commit = (await git(['rev-parse', 'refs/heads/tip'])).trim()
    const text = await git(['cat-file', 'blob', `${commit}:${start}${stateName}`]).catch(() => 'null')
    return { commit, state: parseState(text) }
  }

  const compare = async ({ git }: RemoteSession, { commit, state }: Tip, site: SiteContent) => {
    assertSafePaths(site.files)
    const place = [state === null ? start : start + noJekyll].filter((path) => path !== '')
    const listed = commit === null ? '' : await git(['ls-tree', '-r', '-z', '--name-only', commit, '--', ...place])
    const there = new Set(listed.split('\0').map((name) => name.slice(start.length)))
    const names = new Set(site.files.map(({ path }) => path))
    // Without a record, these are files of others that the first delivery replaces.
    const replaced = site.files.flatMap(({ path }) => (there.has(path) ? [[path, null] as const] : []))
    const known: Map<string, string | null> = new Map(state === null ? replaced : Object.entries(state.files))
    for (const name of keptNames) if (!names.has(name)) known.delete(name)
    const needsMark = site.files.some(({ path }) => droppedByJekyll.test(path))
    const marksAsBuilt = needsMark && !names.has(noJekyll) && !there.has(noJekyll)
    const mark = { path: noJekyll, sizeBytes: 0, sha256: '', type: '' }
    const plan = planDelivery(state?.sum ?? null, known, marksAsBuilt ? [...site.files, mark] : site.files)
    return { plan, marksAsBuilt }
  }

  async function* listContent(site: SiteContent, marksAsBuilt: boolean, { onProgress }: DeliveryWatch) {
    const total = countBytes(site.files)
    let done = 0
    onProgress('sending', 0, total)
    for (const { path, sizeBytes } of site.files) {
      yield { path: start + path, sizeBytes, content: (await site.open(path)) as Readable & AsyncIterable<Buffer> }
      done += sizeBytes
      onProgress('sending', done, total)
    }
    if (marksAsBuilt) yield { path: start + noJekyll, sizeBytes: 0, content: yieldOneChunk(Buffer.alloc(0)) }
    const files = Object.fromEntries(site.files.map(({ path, sha256 }) => [path, sha256]))
    const state = Buffer.from(JSON.stringify({ version: 1, sum: site.sum, files } satisfies State))
    yield { path: start + stateName, sizeBytes: state.length, content: yieldOneChunk(state) }
  }

  /** Resolves to null when others pushed meanwhile. */
  const attempt = (site: SiteContent, watch: DeliveryWatch) =>
    withRemote(options, async (session) => {
      const { git, gitDir, over, url } = session
      const { signal } = watch
      watch.onProgress('comparing', 0, null)
      const tip = await readTip(session, signal)
      const { plan, marksAsBuilt } = await compare(session, tip, site)
      const message = `Deliver ${site.sum.slice(0, 12)}\n\nDocket-Bundle: ${site.sum}\n`
      const removed = plan.removed.map((path) => start + path)
      const files = listContent(site, marksAsBuilt, watch)
      await writeCommit(gitDir, localRef, { parent: tip.commit, message, removed, files }, signal)
      const tree = (revision: string) => git(['rev-parse', `${revision}^{tree}`])
      if (tip.commit !== null && (await tree(tip.commit)) === (await tree(localRef))) return plan
      watch.onProgress('switching', 0, null)
      const commit = (await git(['rev-parse', localRef])).trim()
      // The commit follows the tip, so the lease permits nothing that others would lose.
      const lease = `--force-with-lease=${ref}:${tip.commit ?? ''}`
      const pushed = await over(['push', '--quiet', '--no-verify', lease, '--', url, `${commit}:${ref}`], signal).catch(
        (error: unknown) => error,
      )
      const found = await over(['ls-remote', '--', url, ref], signal)
      // The name of a commit is a hash of its files, so this reads them back.
      if (found.startsWith(`${commit}\t`)) return plan
      if (found.slice(0, 40) !== (tip.commit ?? '').slice(0, 40)) return null
      throw pushed instanceof Error ? pushed : new DeliveryFailed('The repository did not take the commit.', true)
    })

  return {
    check: (signal) =>
      withRemote(options, async (session) => {
        const { git, over, url } = session
        await readTip(session, signal)
        const tree = (await git(['mktree'])).trim()
        const commit = (await git(['commit-tree', tree, '-m', 'Check'])).trim()
        const free = `refs/heads/docket-check-${randomUUID()}`
        await over(['push', '--quiet', '--dry-run', '--no-verify', '--', url, `${commit}:${free}`], signal)
      }),
    plan: (site, signal) =>
      withRemote(options, async (session) => (await compare(session, await readTip(session, signal), site)).plan),
    deliver: async (site, watch) => {
      assertSafePaths(site.files)
      for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
        const plan = await attempt(site, watch)
        if (plan !== null) return plan
        await sleep(attempts * 500, undefined, { signal: watch.signal })
      }
      throw new DeliveryFailed('Others push to the branch all the time. Their commits were left as they are.', true)
    },
    verify: (site, { onProgress, signal }) =>
      withRemote(options, async (session) => {
        const { commit, state } = await readTip(session, signal)
        if (commit === null || state?.sum !== site.sum) throw new DeliveryFailed('The branch has another bundle now.')
        const [missing, changed]: [string[], string[]] = [[], []]
        const total = countBytes(site.files)
        let done = 0
        for await (const { file, sha256 } of hashCommitFiles(session.gitDir, commit, site.files, start, signal)) {
          if (sha256 === null) missing.push(file.path)
          else if (sha256 !== file.sha256) changed.push(file.path)
          done += file.sizeBytes
          onProgress('verifying', done, total)
        }
        return { missing: missing.toSorted(), changed: changed.toSorted() }
      }),
    close: () => Promise.resolve(),
  }
}

async function* yieldOneChunk(content: Buffer) {
  yield content
}

const parseState = (text: string): State | null => {
  try {
    const state = JSON.parse(text) as State | null
    return state?.version === 1 && typeof state.files === 'object' && state.files !== null ? state : null
  } catch {
    return null
  }
}
