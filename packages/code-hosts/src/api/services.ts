import { readFileSync } from 'node:fs'
import { allowAllButMetadata, isLoopbackHost, isMetadataHost } from '@docket/outbound/addresses'
import { createOutboundAgent } from '@docket/outbound/outbound'
import { CodeHostError, type Pause, refused } from '#code-host-error.ts'
import { type AccessToken, createResponseCache, type ServiceAt } from './api-client.ts'
import { createGiteaClient, toGiteaApiUrl } from './gitea.ts'
import { type GitHubApp, createGithubAppToken } from './github-app.ts'
import { createGithubClient, toGithubApiUrl } from './github.ts'
import { createGitlabClient, toGitlabApiUrl } from './gitlab.ts'
import type { PullRequestApi } from './pull-request-api.ts'
import type { ServiceLabels } from './refusals.ts'

/** `url` is null for the public service of this kind, such as github.com. */
export type CodeHostOptions = {
  kind: 'github' | 'gitlab' | 'gitea'
  url: string | null
  /** Owner, group or repository that it is for; all when absent. */
  path?: string
  /** Certificates (PEM file) to trust for it instead of those of the system. */
  caFile?: string | null
  readOnly?: boolean
  /** Names of the settings of token and address, to mention in errors. Default: the environment variables. */
  settings?: ServiceLabels['settings']
  /** Called with the wait in milliseconds when the service reports that its rate limit is used up. */
  onSpent?: (waitMs: number) => void
} & ({ token: () => string } | { app: GitHubApp })

const inEnvironment = { token: 'LOCAL_CODE_HOST_TOKEN', url: 'LOCAL_CODE_HOST_URL' }

type CodeHostKind = {
  name: ServiceLabels['service']
  /** Null when there is no public service. */
  publicUrl: string | null
  toApiUrl: (url: string) => string
  open: (at: ServiceAt) => PullRequestApi
  user: string
  needs: string
  needsToRead: string
  pullRequestPath: RegExp
  isRepository: (names: readonly string[]) => boolean
}

const codeHostKinds: Readonly<Record<CodeHostOptions['kind'], CodeHostKind>> = {
  github: {
    name: 'GitHub',
    publicUrl: 'https://github.com',
    toApiUrl: toGithubApiUrl,
    open: createGithubClient,
    user: 'x-access-token',
    needs:
      'the permissions “Contents” and “Pull requests” of this repository, read and write (a classic one: the scope repo)',
    needsToRead:
      'the permissions “Pull requests” and “Commit statuses” of this repository, read (a classic one: the scope repo)',
    pullRequestPath: /^([^/]+\/[^/]+)\/pull\/(\d{1,9})\/?$/,
    isRepository: (names) => names.length === 2,
  },
  gitlab: {
    name: 'GitLab',
    publicUrl: 'https://gitlab.com',
    toApiUrl: toGitlabApiUrl,
    open: createGitlabClient,
    user: 'oauth2',
    needs: 'the scopes api and write_repository, and at least the role Developer in this project',
    needsToRead: 'the scope read_api, and at least the role Reporter in this project',
    pullRequestPath: /^([^/]+(?:\/[^/]+)+)\/-\/merge_requests\/(\d{1,9})\/?$/,
    isRepository: (names) => names.length >= 2,
  },
  gitea: {
    name: 'Gitea',
    publicUrl: null,
    toApiUrl: toGiteaApiUrl,
    open: createGiteaClient,
    user: 'oauth2',
    needs: 'read and write permission for repositories (write:repository), of somebody who may write to this one',
    needsToRead: 'read permission for repositories (read:repository)',
    pullRequestPath: /^([^/]+\/[^/]+)\/pulls\/(\d{1,9})\/?$/,
    isRepository: (names) => names.length === 2,
  },
}

/** Number of secrets to remember for hiding, besides a static token. Old ones expire long before they are dropped. */
const maxSecrets = 50

/** Throws a readable error when it has no usable address. */
export const configureCodeHost = (options: CodeHostOptions, pause: Pause, now = () => new Date()) => {
  const { name, publicUrl, toApiUrl, open, user, isRepository, ...service } = codeHostKinds[options.kind]
  const { path: only = '', caFile = null, readOnly = false, onSpent = () => {}, settings = inEnvironment } = options
  const needs = readOnly ? service.needsToRead : service.needs
  const url = options.url ?? publicUrl
  if (url === null) throw new Error(`${name} has no public address: ${settings.url} has to name yours.`)
  const base = toApiUrl(url)
  const { protocol } = new URL(base)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(new URL(base).hostname)))
    throw new Error(`The token for ${name} is sent over https only: ${settings.url} has to begin with https://.`)
  if (isMetadataHost(new URL(base).hostname))
    throw new Error(`${settings.url} has to name ${name}, and not the metadata service of a cloud.`)
  const ca = caFile === null ? null : readFileSync(caFile, 'utf8')
  const connect = createOutboundAgent({ allows: allowAllButMetadata, connectMs: 10_000, ca })
  const secrets = new Set<string>()
  const learn = (secret: string) => {
    if (secret !== '') secrets.add(secret)
    if (secrets.size > maxSecrets) secrets.delete(secrets.values().next().value!)
  }
  const hide = (text: string) => [...secrets].reduce((current, secret) => current.replaceAll(secret, '…'), text)
  const readStatic = async (token: () => string) => {
    const text = token()
    learn(text)
    // A line feed would begin a new HTTP header or a new field of git's credential protocol.
    if (!/^[\u0021-\u007e]+$/.test(text))
      throw refused(`The token for ${name} is empty, or has characters that no token has: see ${settings.token}.`)
    return text
  }
  const tokens = new Map<string, AccessToken>()
  const findToken = (path: string, labels: ServiceLabels): AccessToken => {
    if ('token' in options) {
      const { token } = options
      // The file may contain a new token by now.
      return { read: () => readStatic(token), renew: (used) => token() !== used }
    }
    const known = tokens.get(path)
    if (known) return known
    const made = createGithubAppToken(options.app, { base, path, labels, pause, connect, cache, onSpent, now, learn })
    tokens.set(path, made)
    return made
  }
  const cache = createResponseCache()
  const remedy = 'app' in options && { remedy: `Check that the GitHub App ${options.app.id} is still installed.` }
  const openPath = (path: string) => {
    const labels = { service: name, repository: path, needs, hide, settings, ...remedy }
    const token = findToken(path, labels)
    return { api: open({ base, path, token, labels, pause, connect, cache, onSpent }), token }
  }
  return {
    name,
    url: only === '' ? url : `${url.replace(/\/+$/, '')}/${only}`,
    hide,
    /** The repository at an address: its pull requests and its git credential. Null when the address is not on this code host. */
    repositoryAt: (address: string) => {
      const path = parseRepositoryPath(url, address)
      if (path === null || !isRepository(path.split('/')) || !isBelow(path, only)) return null
      return { ...openPath(path), user, needs, hide, caFile }
    },
    /** Null when `address` is on another code host. The API's address comes from the configuration, never from `address`. */
    pullRequestAt: (address: string) => {
      const found = parsePullRequest(url, service.pullRequestPath, address)
      if (found === null || !isBelow(found.repository, only)) return null
      const { repository, number } = found
      return {
        number,
        read: (signal?: AbortSignal) =>
          openPath(repository)
            .api.read(number, signal)
            .catch((error: unknown) => {
              if (!(error instanceof CodeHostError) || error.kind !== 'missing') throw error
              const missing = `${name} has no pull request ${number} in ${repository}, or the token may not see it.`
              throw new CodeHostError('missing', `${missing} The token needs ${needs}.`)
            }),
      }
    },
    /** Tests the token with one call. Rejects when the service refuses it. */
    testToken: async (signal?: AbortSignal): Promise<void> => {
      await openPath('')
        .api.testToken(signal)
        .catch((error: unknown) => {
          if (!(error instanceof CodeHostError) || error.kind !== 'missing') throw error
          throw refused(`There is no API of ${name} at ${new URL(base).host}. Check the address.`)
        })
    },
  }
}

const isBelow = (path: string, only: string) =>
  only === '' || `${path}/`.toLowerCase().startsWith(`${only.replace(/^\/+|\/+$/g, '')}/`.toLowerCase())

/** A repository belongs to the code host with the longest matching address. */
export const configureCodeHosts = (all: readonly CodeHostOptions[], pause: Pause, now?: () => Date) => {
  const hosts = all
    .map((options) => configureCodeHost(options, pause, now))
    .toSorted((a, b) => b.url.length - a.url.length)
  return {
    names: hosts.map(({ name, url }) => `${name} at ${url}`),
    hide: (text: string) => hosts.reduce((current, { hide }) => hide(current), text),
    repositoryAt: (address: string) => {
      for (const host of hosts) {
        const found = host.repositoryAt(address)
        if (found !== null) return found
      }
      return null
    },
  }
}

export type ConfiguredCodeHosts = ReturnType<typeof configureCodeHosts>

export type ConfiguredCodeHost = ReturnType<typeof configureCodeHost>

/** Null when `address` is not a pull request's page on the code host at `url`. */
const parsePullRequest = (url: string, pattern: RegExp, address: string) => {
  if (!URL.canParse(address) || address.length > 2_000) return null
  const [host, link] = [new URL(url), new URL(address)]
  if (link.origin !== host.origin || link.username !== '' || link.password !== '') return null
  const prefix = host.pathname.replace(/\/*$/, '/')
  if (!link.pathname.startsWith(prefix)) return null
  const [, path = '', number] = pattern.exec(link.pathname.slice(prefix.length)) ?? []
  const names = path.split('/').map(decodeSegment)
  const isPath = names.every((name) => name !== null && /^[\w.-]+$/.test(name) && !/^\.+$/.test(name))
  return isPath && Number(number) > 0 ? { repository: names.join('/'), number: Number(number) } : null
}

/** Null when `address` is not a repository on the code host at `url`. */
const parseRepositoryPath = (url: string, address: string): string | null => {
  const [host, repository] = [new URL(url), new URL(address)]
  const prefix = host.pathname.replace(/\/api\/v\d+\/?$/, '').replace(/\/*$/, '/')
  if (repository.protocol !== host.protocol || toWebHost(repository) !== toWebHost(host)) return null
  if (!repository.pathname.startsWith(prefix)) return null
  const path = repository.pathname
    .slice(prefix.length)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  const names = path.split('/').map(decodeSegment)
  return names.every((name) => name !== null && name !== '' && !name.includes('/')) ? names.join('/') : null
}

const toWebHost = ({ host }: URL) => host.replace(/^(www|api)\.(github\.com|[^.]+\.ghe\.com)$/, '$2')

const decodeSegment = (name: string): string | null => {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
