import { isLoopbackHost } from '@docket/outbound/addresses'
import { z } from 'zod'
import { CodeHostError, findRetryDelay, type Pause } from '#code-host-error.ts'
import type { NewPullRequest, PullRequestLink } from '#code-host.ts'

/** Null when the commit has no checks or the token may not see them. */
export type Checks = 'passing' | 'failing' | 'pending' | null

/** A failed group decides, then a pending one. */
export const combineChecks = (groups: readonly Checks[]): Checks =>
  (['failing', 'pending', 'passing'] as const).find((checks) => groups.includes(checks)) ?? null

/** A commit id, which becomes a part of an address. */
export const CommitId = z.string().regex(/^[0-9a-f]{40,64}$/)

/** GitHub reports a commit without a status as pending. */
export const CombinedStatus = z.object({ state: z.string().catch(''), total_count: z.int().catch(0) })

const states: Readonly<Record<string, Checks>> = {
  success: 'passing',
  warning: 'passing',
  skipped: 'passing',
  failure: 'failing',
  error: 'failing',
  pending: 'pending',
}

export const toChecks = ({ state, total_count: count }: z.infer<typeof CombinedStatus>): Checks =>
  count === 0 ? null : (states[state] ?? null)

/** `mergeable` is false when it conflicts with its base branch, and null when that is not known yet. */
export type PullRequestDetails = {
  number: number
  title: string
  state: 'draft' | 'open' | 'merged' | 'closed'
  checks: Checks
  mergeable: boolean | null
  branch: string
}

/** All methods reject with a `CodeHostError`. */
export type PullRequestApi = {
  /** Pull requests of a branch of this repository, newest first; with `open`, only open ones. */
  list(branch: string, which: 'open' | 'all', signal?: AbortSignal): Promise<PullRequestLink[]>
  /** Branches of this repository with an open pull request, among the newest thousand pull requests. */
  listOpenBranches(signal?: AbortSignal): Promise<string[]>
  /** Opens a pull request against the branch `base`. Rejects with `exists` when one is already open. */
  create(request: NewPullRequest & { base: string }, signal?: AbortSignal): Promise<PullRequestLink>
  /** Reads a pull request by its number, without a retry. Rejects with `missing` when the token cannot see it. */
  read(number: number, signal?: AbortSignal): Promise<PullRequestDetails>
  /** Tests the token with a call that needs no repository. Rejects when the service refuses it. */
  testToken(signal?: AbortSignal): Promise<void>
}

/** Items of up to `maxPages` pages. A page with fewer than `minItems` is the last. */
export const collectPages = async <T>(
  readPage: (page: number) => Promise<readonly T[]>,
  { maxPages, minItems }: { maxPages: number; minItems: number },
): Promise<T[]> => {
  const items: T[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const some = await readPage(page)
    items.push(...some)
    if (some.length < minItems) break
  }
  return items
}

/** Turns failures of the steps into notes, because none of them undoes the pull request. */
export const collectNotes = async (steps: readonly (() => Promise<unknown>)[], signal?: AbortSignal) => {
  const notes: string[] = []
  for (const step of steps)
    await step().catch((error: unknown) => {
      signal?.throwIfAborted()
      notes.push(`The pull request is incomplete. ${error instanceof Error ? error.message : String(error)}`)
    })
  return notes
}

export const withNotes = (link: PullRequestLink, notes: readonly string[]): PullRequestLink =>
  notes.length === 0 ? link : { ...link, notes }

const attempts = 3
const pauseMs = 2_000

/** The newest pull request of a branch, preferring an open one. */
export const findPullRequest = async (
  api: PullRequestApi,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<PullRequestLink | null> => {
  const all = await api.list(branch, 'all', signal)
  return all.find(({ state }) => state === 'open') ?? all[0] ?? null
}

/** After a lost response or a conflict, looks for the pull request before the request is sent again. */
export const openOrFindPullRequest = async (
  api: PullRequestApi,
  request: NewPullRequest & { base: string },
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<PullRequestLink> => {
  for (let attempt = 1; ; attempt += 1) {
    const [open] = await api.list(request.branch, 'open', signal)
    if (open) return open
    try {
      return await api.create(request, signal)
    } catch (error) {
      signal?.throwIfAborted()
      const exists = error instanceof CodeHostError && error.kind === 'exists'
      const waitMs = exists ? pauseMs * attempt : findRetryDelay(error, pauseMs * attempt)
      if (waitMs === null || attempt === attempts) throw error
      await pause(waitMs, signal)
    }
  }
}

/** Returns an address that is safe as a link: https, or loopback http when the service itself is on this machine. */
export const toSafeLink = (address: unknown, apiBase: string): string | null => {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return null
  const local = url.protocol === 'http:' && isLoopbackHost(url.hostname) && isLoopbackHost(new URL(apiBase).hostname)
  return url.protocol === 'https:' || local ? url.href : null
}

/** Services refuse or truncate longer texts. Characters. */
export const maxBodyLength = 60_000
