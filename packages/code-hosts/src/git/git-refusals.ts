import { cut } from '@docket/sources/text'
import { CodeHostError, refused } from '#code-host-error.ts'

type About = { host: string; hide: (text: string) => string; needs: string | null }

const refusedToken = /Authentication failed|could not read (Username|Password)|returned error: 401/i

/** True when the server did not accept the token, so a new one may help. */
export const isRefusedToken = (error: unknown): boolean => error instanceof Error && refusedToken.test(error.message)

/** Messages of git and of servers. The first match wins. */
const meanings: readonly { pattern: RegExp; kind: 'unreachable' | 'refused'; say: (about: About) => string }[] = [
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
    say: ({ host }) => `This machine does not trust the certificate of ${host}.`,
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

/** The error for something that git could not do over the network, from its own last words. */
export const toGitError = (error: unknown, about: About): CodeHostError => {
  const message = about.hide(error instanceof Error ? error.message : String(error))
  const meaning = meanings.find(({ pattern }) => pattern.test(message))
  if (!meaning) return refused(message === '' ? 'git failed.' : cut(message, 600))
  const sentence = meaning.say(about)
  return new CodeHostError(
    meaning.kind,
    meaning.kind === 'unreachable' ? `${sentence} (${cut(lastLine(message), 200)}).` : sentence,
  )
}

const lastLine = (text: string) => text.trim().split('\n').at(-1)!.replace(/\.$/, '')
