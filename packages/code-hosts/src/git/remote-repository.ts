import { createHash } from 'node:crypto'
import { credentialHelper, type Git, type GitOptions, readRef } from '@docket/sources/git/git'
import { buildTrustRemedy } from '@docket/outbound/explain-connection'
import { isLoopbackHost } from '@docket/outbound/addresses'
import { cut } from '@docket/sources/text'
import { type AccessToken, caFileSetting } from '#api/api-client.ts'
import { CodeHostError, type Pause, refused, withRetries } from '#code-host-error.ts'

/** `credential` is null when the repository needs none. */
export type Remote = {
  url: string
  credential: { user: string; token: AccessToken } | null
  /** Certificates (PEM file) to trust instead of those of the system. Null to use the system's. */
  caFile: string | null
  hide: (text: string) => string
  /** Permissions that the token needs, to mention in errors; null without a token. */
  needs: string | null
}

const minutesMs = 60_000
const limits = { list: 2 * minutesMs, transfer: 15 * minutesMs }

/** Rejects with a `CodeHostError`. The address is on git's command line; the credential never is. */
export const createRemoteRepository = (git: Git, remote: Remote, pause: Pause) => {
  const { url, credential } = remote
  const over = (key: string | null, timeLimitMs: number, signal: AbortSignal | undefined): GitOptions => ({
    timeLimitMs,
    remote: url,
    config: listGitSettings(remote),
    ...(credential && { credential: `username=${credential.user}\npassword=${key}\n` }),
    ...(signal && { signal }),
  })
  const about = { host: new URL(url).host || url, hide: remote.hide, needs: remote.needs }
  const runRemote = (args: readonly string[], timeLimitMs: number, signal: AbortSignal | undefined) =>
    withRetries(
      async () => {
        const run = async (key: string | null) => git(args, over(key, timeLimitMs, signal))
        const key = (await credential?.token.read(signal)) ?? null
        try {
          return await run(key).catch(async (error: unknown) => {
            if (credential === null || key === null || !isRefusedToken(error) || !credential.token.renew(key))
              throw error
            return run(await credential.token.read(signal))
          })
        } catch (error) {
          signal?.throwIfAborted()
          throw error instanceof CodeHostError ? error : toGitError(error, about)
        }
      },
      pause,
      signal,
    )
  const list = (ref: string, signal: AbortSignal | undefined) =>
    runRemote(['ls-remote', '--symref', '--', url, ref], limits.list, signal)
  return {
    defaultBranch: async (signal?: AbortSignal) => {
      const head = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(await list('HEAD', signal))
      return head?.[1] ?? null
    },
    /** Fetches a branch with its history and returns its commit. Null when there is no such branch. */
    fetch: async (branch: string, signal?: AbortSignal) => {
      const ref = await toRef(git, branch)
      const line = (await list(ref, signal)).split('\n').find((line) => line.endsWith(`\t${ref}`))
      const localRef = `refs/fetched/${createHash('sha256').update(branch).digest('hex').slice(0, 32)}`
      if (line === undefined) {
        await git(['update-ref', '-d', localRef])
        return null
      }
      const commit = line.slice(0, line.indexOf('\t'))
      if ((await readCommitAt(git, localRef)) === commit) return commit
      const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules']
      await runRemote(['fetch', ...quietly, '--', url, `+${ref}:${localRef}`], limits.transfer, signal)
      return readCommitAt(git, localRef)
    },
    push: async (branch: string, commit: string, signal?: AbortSignal) => {
      const ref = await toRef(git, branch)
      await runRemote(['push', '--quiet', '--no-verify', '--', url, `${commit}:${ref}`], limits.transfer, signal)
    },
    /** Removes a branch. Rejects when it is at another commit. */
    remove: async (branch: string, commit: string, signal?: AbortSignal) => {
      const ref = await toRef(git, branch)
      const lease = `--force-with-lease=${ref}:${commit}`
      await runRemote(['push', '--quiet', '--no-verify', lease, '--', url, `:${ref}`], limits.transfer, signal)
    },
  }
}

export type RemoteRepository = ReturnType<typeof createRemoteRepository>

const listGitSettings = ({ url: address, credential, caFile }: Remote): string[] => {
  const url = new URL(address)
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw refused(`The repository at ${url.host} has to be reached over https.`)
  return [
    // Sets the credential for this origin only, so that a redirect to another one does not get it.
    ...(credential ? [`credential.${url.origin}.helper=${credentialHelper}`] : []),
    ...(caFile === null ? [] : [`http.${url.origin}.sslCAInfo=${caFile}`]),
    'http.followRedirects=initial',
    // Ends a stalled connection long before the time limit.
    'http.lowSpeedLimit=100',
    'http.lowSpeedTime=60',
  ]
}

const readCommitAt = (git: Git, ref: string) => readRef(git, `${ref}^{commit}`)

const toRef = async (git: Git, branch: string): Promise<string> => {
  const ref = `refs/heads/${branch}`
  // The name becomes part of a refspec, in which some characters are special.
  await git(['check-ref-format', ref]).catch(() => {
    throw refused(`“${branch}” cannot be the name of a branch.`)
  })
  return ref
}

type About = { host: string; hide: (text: string) => string; needs: string | null }

const refusedToken = /Authentication failed|could not read (Username|Password)|returned error: 401/i

const isRefusedToken = (error: unknown): boolean => error instanceof Error && refusedToken.test(error.message)

/** Messages of git and of servers. The first match wins. */
const meanings: readonly { pattern: RegExp; kind: 'unreachable' | 'refused'; say: (about: About) => string }[] = [
  {
    pattern: /CONNECT tunnel failed|from proxy after CONNECT|Could not resolve proxy|Proxy CONNECT aborted/i,
    kind: 'unreachable',
    say: ({ host }) => `${host} cannot be reached by git through the proxy in HTTPS_PROXY`,
  },
  {
    pattern: refusedToken,
    kind: 'refused',
    say: ({ host, needs }) =>
      needs === null
        ? `${host} wants somebody to sign in, and no code host is configured for it: see LOCAL_CODE_HOST.`
        : `${host} does not accept the token for git. It may have expired; it needs ${needs}.`,
  },
  {
    pattern: /returned error: 403|write access|not allowed to push|denied to/i,
    kind: 'refused',
    say: ({ host, needs }) => `${host} does not let the token push there. It needs ${needs ?? 'write permission'}.`,
  },
  {
    pattern: /returned error: 404|not found|does not appear to be a git repository|does not exist/i,
    kind: 'refused',
    say: ({ host }) => `There is no such repository on ${host}, or the token may not see it.`,
  },
  {
    pattern: /certificate|SSL|TLS/,
    kind: 'refused',
    say: ({ host }) => `This machine does not trust the certificate of ${host}. ${buildTrustRemedy(caFileSetting)}`,
  },
  {
    pattern: /non-fast-forward|fetch first|stale info/i,
    kind: 'refused',
    say: ({ host }) => `The branch has commits on ${host} that this job does not know. They were left as they are.`,
  },
  {
    pattern: /currently checked out/i,
    kind: 'refused',
    say: ({ host }) => `The repository on ${host} has this branch checked out. Use a bare one, or another branch.`,
  },
  {
    pattern: /unable to update url base from redirection|redirect/i,
    kind: 'refused',
    say: ({ host }) => `The repository was moved away from ${host}. Use its new address; a token is not sent along.`,
  },
  {
    pattern:
      /Could not resolve host|Failed to connect|Couldn't connect|Connection (refused|reset|timed out)|Operation too slow|early EOF|hung up|unexpected disconnect|returned error: (429|5\d\d)|Empty reply|it took more than/i,
    kind: 'unreachable',
    say: ({ host }) => `${host} cannot be reached by git`,
  },
]

export const toGitError = (error: unknown, about: About): CodeHostError => {
  const message = about.hide(error instanceof Error ? error.message : String(error))
  const meaning = meanings.find(({ pattern }) => pattern.test(message))
  if (!meaning) return refused(message === '' ? 'git failed.' : cut(message, 600))
  const sentence = meaning.say(about)
  return new CodeHostError(
    meaning.kind,
    meaning.kind === 'unreachable' ? `${sentence} (${cut(findLastLine(message), 200)}).` : sentence,
  )
}

const findLastLine = (text: string) => text.trim().split('\n').at(-1)!.replace(/\.$/, '')
