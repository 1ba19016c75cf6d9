import { CodeHostError, findRetryDelay, type Pause } from '#code-host-error.ts'
import type { NewPullRequest, PullRequestLink } from '#code-host.ts'

/** The pull requests of one repository on a service. Everything rejects with a `CodeHostError`. */
export type PullRequestApi = {
  /** Pull requests of a branch of this repository, newest first; `open` leaves the others out. */
  list(branch: string, which: 'open' | 'all', signal?: AbortSignal): Promise<PullRequestLink[]>
  /** Opens one; `base` is the branch it is made against. `exists` when the service has one that is open. */
  create(request: NewPullRequest & { base: string }, signal?: AbortSignal): Promise<PullRequestLink>
}

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

/**
 * Opens a pull request unless one is open. After an answer that was lost, or one that says there is one, it looks again:
 * the request is never sent twice without a look between.
 */
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

/** An address that may be shown as a link: https, or anything of this machine when the service itself is on it. */
export const toSafeLink = (address: unknown, apiBase: string): string | null => {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return null
  const local = url.protocol === 'http:' && isLoopback(url) && isLoopback(new URL(apiBase))
  return url.protocol === 'https:' || local ? url.href : null
}

/** Whether an address can only mean this machine. */
export const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/** Services refuse longer texts, or cut them in the middle. Characters. */
export const maxBodyLength = 60_000
