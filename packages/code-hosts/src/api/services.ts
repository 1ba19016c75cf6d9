import { isLoopback } from '@docket/sources/site-source'
import { type Pause, refused } from '#code-host-error.ts'
import { gitea, giteaApi } from './gitea.ts'
import { github, githubApi } from './github.ts'
import { gitlab, gitlabApi } from './gitlab.ts'
import type { PullRequestApi, ServiceAt } from './pull-request-api.ts'
import type { ServiceLabels } from './refusals.ts'

/**
 * Code host for the pull requests of git repositories. `url` null: the public service of this kind, such as github.com.
 */
export type CodeHostOptions = { kind: 'github' | 'gitlab' | 'gitea'; url: string | null; token: () => string }

type Service = {
  name: ServiceLabels['service']
  /** Address of the public service, such as github.com. Null without one. */
  publicUrl: string | null
  toApiUrl: (url: string) => string
  open: (at: ServiceAt) => PullRequestApi
  /** User name that git sends with the token. */
  user: string
  needs: string
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
    isRepository: (names) => names.length === 2,
  },
  gitlab: {
    name: 'GitLab',
    publicUrl: 'https://gitlab.com',
    toApiUrl: gitlabApi,
    open: gitlab,
    user: 'oauth2',
    needs: 'the scopes api and write_repository, and at least the role Developer in this project',
    isRepository: (names) => names.length >= 2,
  },
  gitea: {
    name: 'Gitea',
    publicUrl: null,
    toApiUrl: giteaApi,
    open: gitea,
    user: 'oauth2',
    needs: 'read and write permission for repositories (write:repository), of somebody who may write to this one',
    isRepository: (names) => names.length === 2,
  },
}

/** Reads the configuration of a code host. Throws with a sentence when it has no usable address. */
export const configureCodeHost = (options: CodeHostOptions, pause: Pause) => {
  const { name, publicUrl, toApiUrl, open, user, needs, isRepository } = services[options.kind]
  const url = options.url ?? publicUrl
  if (url === null) throw new Error(`${name} has no public address: LOCAL_CODE_HOST_URL has to name yours.`)
  const base = toApiUrl(url)
  const { protocol } = new URL(base)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(new URL(base))))
    throw new Error(`The token for ${name} is sent over https only: LOCAL_CODE_HOST_URL has to begin with https://.`)
  const token = () => {
    const text = options.token()
    // A line feed would begin a new HTTP header or a new field of git's credential protocol.
    if (!/^[\u0021-\u007e]+$/.test(text))
      throw refused(`The token for ${name} is empty, or has characters that no token has: see LOCAL_CODE_HOST_TOKEN.`)
    return text
  }
  const hide = (text: string) => (options.token() === '' ? text : text.replaceAll(options.token(), '…'))
  return {
    name,
    /** Hides the token in a text. */
    hide,
    /** The repository at an address: its pull requests, and who to be for git. Null when the address is not on this code host. */
    repositoryAt: (address: string) => {
      const path = repositoryPath(url, address)
      if (path === null || !isRepository(path.split('/'))) return null
      const labels = { service: name, repository: path, needs, hide }
      return { api: open({ base, path, token, labels, pause }), user, token, needs }
    },
  }
}

/** A configured code host, ready for any of its repositories. */
export type ConfiguredCodeHost = ReturnType<typeof configureCodeHost>

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
