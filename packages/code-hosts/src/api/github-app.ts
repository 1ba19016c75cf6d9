import { createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { z } from 'zod'
import { refused } from '#code-host-error.ts'
import { type AccessToken, createApiClient, type ServiceAt } from './api-client.ts'
import { createGithubHeaders } from './github.ts'

/** Tokens of a GitHub App expire after an hour. */
export type GitHubApp = {
  id: string
  /** PEM of the private key. Read for each new token, so a replaced key takes effect. */
  privateKey: () => string
  /** Null when the installation is looked up by the repository. */
  installationId: number | null
}

const Installation = z.object({ id: z.int().positive() })
const InstallationToken = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) })

/** A token is renewed this long before it expires. */
const earlyMs = 5 * 60_000

/** Tokens are renewed before they expire. `learn` receives every new secret before its first use, so that it can be hidden. */
export const createGithubAppToken = (
  app: GitHubApp,
  { now, learn, ...at }: Omit<ServiceAt, 'token'> & { now: () => Date; learn: (secret: string) => void },
): AccessToken => {
  const ownKey = async () => {
    const jwt = createAppJwt(app, now())
    learn(jwt)
    return jwt
  }
  const labels = {
    ...at.labels,
    needs: `an installation of the GitHub App ${app.id} that includes this repository`,
    remedy: `Check the id and the private key of the GitHub App ${app.id}, and the clock of this machine.`,
  }
  const api = createApiClient({ ...at, labels, token: { read: ownKey, renew: () => false } }, createGithubHeaders)
  const [owner = '', name = ''] = at.path.split('/')
  const repository = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  const create = async (signal?: AbortSignal) => {
    const id = app.installationId ?? (await api.get(`${repository}/installation`, Installation, signal)).id
    // For this repository only, with all permissions that the app was given.
    const scope = { repositories: [name] }
    const made = await api.post(`/app/installations/${id}/access_tokens`, InstallationToken, scope, signal)
    learn(made.token)
    return { token: made.token, until: Date.parse(made.expires_at) - earlyMs }
  }
  let cached: { token: string; until: number } | null = null
  let creating: ReturnType<typeof create> | null = null
  return {
    read: async (signal) => {
      if (cached !== null && now().getTime() < cached.until) return cached.token
      signal?.throwIfAborted()
      // Jobs of one repository share a renewal, so none of them may stop it; it ends by its own time limit.
      creating ??= create().finally(() => (creating = null))
      cached = await rejectWhenAborted(creating, signal)
      return cached.token
    },
    renew: (used) => {
      if (cached?.token === used) cached = null
      return true
    },
  }
}

const rejectWhenAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work
  const ended = new AbortController()
  const abort = once(signal, 'abort', { signal: ended.signal }).then(() => {
    throw signal.reason
  })
  try {
    return await Promise.race([work, abort])
  } finally {
    ended.abort()
    abort.catch(() => {})
  }
}

const encodeJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The app's JWT, valid for ten minutes and dated a minute back because clocks differ. Throws a readable error for an unusable key. */
export const createAppJwt = ({ id, privateKey }: GitHubApp, at: Date): string => {
  const seconds = Math.floor(at.getTime() / 1000)
  const text = `${encodeJwtPart({ alg: 'RS256', typ: 'JWT' })}.${encodeJwtPart({ iat: seconds - 60, exp: seconds + 540, iss: id })}`
  try {
    const key = createPrivateKey(privateKey())
    if (key.asymmetricKeyType !== 'rsa') throw new Error('not RSA')
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
  } catch {
    // Without a cause, which could show a part of the key.
    throw refused(`The private key of the GitHub App ${id} is not the PEM file that GitHub made, or cannot be read.`)
  }
}
