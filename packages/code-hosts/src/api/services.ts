import { isLoopback } from '@docket/sources/site-source'
import { CodeHostError, type Pause, refused } from '#code-host-error.ts'
import type { ResponseCache } from './api-client.ts'
import { gitea, giteaApi } from './gitea.ts'
import { github, githubApi } from './github.ts'
import { gitlab, gitlabApi } from './gitlab.ts'
import type { PullRequestApi, ServiceAt } from './pull-request-api.ts'
import type { ServiceLabels } from './refusals.ts'

/**
 * Code host for the pull requests of git repositories. `url` null: the public service of this kind, such as github.com.
 */
export type CodeHostOptions = {
  kind: 'github' | 'gitlab' | 'gitea'
  url: string | null
  token: () => string
  /** True: the token is for reading alone. */
  readOnly?: boolean
  /** Settings of the token and the address, for remedies. Default: those of the environment. */
  settings?: { token: string; url: string }
  /** Called when the service says that this was the last call for a time. Milliseconds. */
  onSpent?: (waitMs: number) => void
}

const inEnvironment = { token: 'LOCAL_CODE_HOST_TOKEN', url: 'LOCAL_CODE_HOST_URL' }

type Service = {
  name: ServiceLabels['service']
  /** Address of the public service, such as github.com. Null without one. */
  publicUrl: string | null
  toApiUrl: (url: string) => string
  open: (at: ServiceAt) => PullRequestApi
  /** User name that git sends with the token. */
  user: string
  needs: string
  /** Permissions to read pull requests and their checks. */
  needsToRead: string
  /** Repository and number in the path of a pull request's page. */
  pullRequestPath: RegExp
  isRepository: (names: readonly string[]) => boolean
}

const services: Readonly<Record<CodeHostOptions['kind'], Service>> = {
  github: {
    name: 'GitHub',
    publicUrl: 'https://github.com',
    toApiUrl: githubApi,
    open: github,
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
    toApiUrl: gitlabApi,
    open: gitlab,
    user: 'oauth2',
    needs: 'the scopes api and write_repository, and at least the role Developer in this project',
    needsToRead: 'the scope read_api, and at least the role Reporter in this project',
    pullRequestPath: /^([^/]+(?:\/[^/]+)+)\/-\/merge_requests\/(\d{1,9})\/?$/,
    isRepository: (names) => names.length >= 2,
  },
  gitea: {
    name: 'Gitea',
    publicUrl: null,
    toApiUrl: giteaApi,
    open: gitea,
    user: 'oauth2',
    needs: 'read and write permission for repositories (write:repository), of somebody who may write to this one',
    needsToRead: 'read permission for repositories (read:repository)',
    pullRequestPath: /^([^/]+\/[^/]+)\/pulls\/(\d{1,9})\/?$/,
    isRepository: (names) => names.length === 2,
  },
}

/** Reads the configuration of a code host. Throws with a sentence when it has no usable address. */
export const configureCodeHost = (options: CodeHostOptions, pause: Pause) => {
  const { name, publicUrl, toApiUrl, open, user, isRepository, ...service } = services[options.kind]
  const { readOnly = false, onSpent = () => {}, settings = inEnvironment } = options
  const needs = readOnly ? service.needsToRead : service.needs
  const url = options.url ?? publicUrl
  if (url === null) throw new Error(`${name} has no public address: ${settings.url} has to name yours.`)
  const base = toApiUrl(url)
  const { protocol } = new URL(base)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(new URL(base))))
    throw new Error(`The token for ${name} is sent over https only: ${settings.url} has to begin with https://.`)
  const token = () => {
    const text = options.token()
    // A line feed would begin a new HTTP header or a new field of git's credential protocol.
    if (!/^[\u0021-\u007e]+$/.test(text))
      throw refused(`The token for ${name} is empty, or has characters that no token has: see ${settings.token}.`)
    return text
  }
  const hide = (text: string) => (options.token() === '' ? text : text.replaceAll(options.token(), '…'))
  const cache: ResponseCache = new Map()
  const label = (repository: string) => ({ service: name, repository, needs, settings, hide })
  const openPath = (path: string) => open({ base, path, token, labels: label(path), pause, cache, onSpent })
  return {
    name,
    /** Hides the token in a text. */
    hide,
    /** The repository at an address: its pull requests, and who to be for git. Null when the address is not on this code host. */
    repositoryAt: (address: string) => {
      const path = repositoryPath(url, address)
      if (path === null || !isRepository(path.split('/'))) return null
      return { api: openPath(path), user, token, needs }
    },
    /**
     * The pull request at an address of exactly this code host; null at any other. The API's address comes from the configuration, never
     * from `address`.
     */
    pullRequestAt: (address: string) => {
      const found = parsePullRequest(url, service.pullRequestPath, address)
      if (found === null) return null
      const { repository, number } = found
      return {
        number,
        read: (signal?: AbortSignal) =>
          openPath(repository)
            .read(number, signal)
            .catch((error: unknown) => {
              if (!(error instanceof CodeHostError) || error.kind !== 'missing') throw error
              const missing = `${name} has no pull request ${number} in ${repository}, or the token may not see it.`
              throw new CodeHostError('missing', `${missing} The token needs ${needs}.`)
            }),
      }
    },
    /** Reads once with the token. Rejects when the service refuses it. */
    testToken: async (signal?: AbortSignal): Promise<void> => {
      await openPath('')
        .testToken(signal)
        .catch((error: unknown) => {
          if (!(error instanceof CodeHostError) || error.kind !== 'missing') throw error
          throw refused(`There is no API of ${name} at ${new URL(base).host}. Check the address.`)
        })
    },
  }
}

/** A configured code host, ready for any of its repositories. */
export type ConfiguredCodeHost = ReturnType<typeof configureCodeHost>

/** Repository and number of a pull request's page at `url`; null when the address is elsewhere, or another page. */
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

/** `owner/name` of a repository's address on the code host at `url`; null when it is elsewhere. */
const repositoryPath = (url: string, address: string): string | null => {
  const [host, repository] = [new URL(url), new URL(address)]
  const prefix = host.pathname.replace(/\/api\/v\d+\/?$/, '').replace(/\/*$/, '/')
  if (repository.protocol !== host.protocol || webHost(repository) !== webHost(host)) return null
  if (!repository.pathname.startsWith(prefix)) return null
  const path = repository.pathname
    .slice(prefix.length)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  const names = path.split('/').map(decodeSegment)
  return names.every((name) => name !== null && name !== '' && !name.includes('/')) ? names.join('/') : null
}

const webHost = ({ host }: URL) => host.replace(/^(www|api)\.(github\.com|[^.]+\.ghe\.com)$/, '$2')

const decodeSegment = (name: string): string | null => {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
