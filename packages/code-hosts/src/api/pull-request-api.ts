import { isLoopbackHost } from '@docket/outbound/addresses'
import type { OutboundAgent } from '@docket/outbound/outbound'
import { z } from 'zod'
import { CodeHostError, findRetryDelay, type Pause } from '#code-host-error.ts'
import type { NewPullRequest, PullRequestLink } from '#code-host.ts'
import type { AccessToken, ResponseCache } from './api-client.ts'
import type { ServiceLabels } from './refusals.ts'

/** All checks of a commit together. Null when it has none, or the token may not see them. */
export type Checks = 'passing' | 'failing' | 'pending' | null

/** Combines groups of checks: one that fails decides, then one that is pending. */
export const combineChecks = (groups: readonly Checks[]): Checks =>
  (['failing', 'pending', 'passing'] as const).find((checks) => groups.includes(checks)) ?? null

/** A commit id, which becomes a part of an address. */
export const CommitId = z.string().regex(/^[0-9a-f]{40,64}$/)

/** Combined status of a commit on GitHub and Gitea. Without a status, GitHub calls it pending. */
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

/** `mergeable` false: it conflicts with its base branch; null: not known yet. */
export type PullRequestDetails = {
  number: number
  title: string
  state: 'draft' | 'open' | 'merged' | 'closed'
  checks: Checks
  mergeable: boolean | null
  branch: string
}

/** Everything rejects with a `CodeHostError`. */
export type PullRequestApi = {
  /** Pull requests of a branch of this repository, newest first; `open` leaves the others out. */
  list(branch: string, which: 'open' | 'all', signal?: AbortSignal): Promise<PullRequestLink[]>
  /** Branches of this repository with an open pull request; of the newest thousand. */
  listOpenBranches(signal?: AbortSignal): Promise<string[]>
  /** Opens one against the branch `base`. Rejects with `exists` when one is open already. */
  create(request: NewPullRequest & { base: string }, signal?: AbortSignal): Promise<PullRequestLink>
  /** Reads one by its number, without a retry. Rejects with `missing` when the token sees no such pull request. */
  read(number: number, signal?: AbortSignal): Promise<PullRequestDetails>
  /** Reads something that needs the token and no repository. Rejects when the service refuses the token. */
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

/** Turns failures of the steps into notes: none of them undoes the pull request. */
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

/** The newest pull request of a branch, an open one before others. */
export const findPullRequest = async (
  api: PullRequestApi,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<PullRequestLink | null> => {
  const all = await api.list(branch, 'all', signal)
  return all.find(({ state }) => state === 'open') ?? all[0] ?? null
}

/** Looks again after a lost answer or a conflict, and never sends the request twice without a look between. */
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

/** Services refuse longer texts, or cut them in the middle. Characters. */
export const maxBodyLength = 60_000

export type ServiceAt = {
  /** Base address of the API, without a slash at its end. */
  base: string
  /** Path of the repository: `owner/name`, or with more groups before it. */
  path: string
  token: AccessToken
  labels: ServiceLabels
  pause: Pause
  connect: OutboundAgent
  /** Shared by all repositories of a service and token. */
  cache: ResponseCache
  /** Called when the service says that this was the last call for a time. Milliseconds. */
  onSpent: (waitMs: number) => void
}
