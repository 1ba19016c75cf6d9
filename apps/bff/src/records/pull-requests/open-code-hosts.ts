import { type CodeHostOptions, type ConfiguredCodeHost, configureCodeHost } from '@docket/code-hosts/api/services'
import type { CodeHostRow } from '#service/connections/code-hosts.ts'
import { decryptText, type KeyRing } from '#ground/secret/encrypted-text.ts'

export type OwnCodeHost = CodeHostOptions

export const formatOwnCodeHostUrl = (own: Pick<OwnCodeHost, 'kind' | 'url' | 'path'>): string => {
  const url = normaliseCodeHostUrl(own)
  return own.path === undefined ? url : `${url}/${own.path}`
}

export type OpenedCodeHost = Pick<ConfiguredCodeHost, 'pullRequestAt' | 'testToken'> & {
  /** Returns the ends of the limits that the service reported since the last call. Milliseconds from the answer. */
  takeSpent: () => number | null
}

/** No retries: the next scheduled read of the pull request is the retry. */
const neverPause = () => Promise.reject(new Error('Reads of pull requests are not repeated.'))

/**
 * Opens code hosts with their tokens, after adding the tokens to `secrets`. Opens a code host once per token, so that unchanged responses
 * stay cached. Throws an `Error` with a readable message when this process has no token for a code host.
 */
export const createCodeHostOpener = (deps: { ring: KeyRing; own: readonly OwnCodeHost[]; secrets: Set<string> }) => {
  const { ring, own, secrets } = deps
  const opened = new Map<string, { by: string; codeHost: OpenedCodeHost }>()

  const note = (read: () => string) => () => {
    const secret = read()
    if (secret !== '') secrets.add(secret)
    return secret
  }

  const findOptions = ({ kind, url, sealedToken }: CodeHostRow): CodeHostOptions => {
    if (sealedToken === null) {
      const options = own.find((host) => host.kind === kind && formatOwnCodeHostUrl(host) === url)
      if (options === undefined) throw new Error('This Docket’s environment doesn’t have its token.')
      const found = { ...options, url: normaliseCodeHostUrl(options) }
      return 'app' in found
        ? { ...found, app: { ...found.app, privateKey: note(found.app.privateKey) } }
        : { ...found, token: note(found.token) }
    }
    if (sealedToken === '') throw new Error('Its token can’t be read any more. Enter it again.')
    const token = decryptText(ring, sealedToken)
    return { kind, url, token: note(() => token), settings: inSettings }
  }

  const open = (row: CodeHostRow): OpenedCodeHost => {
    const options = findOptions(row)
    let spentMs: number | null = null
    const onSpent = (waitMs: number) => void (spentMs = waitMs)
    const { pullRequestAt, ...host } = configureCodeHost({ ...options, readOnly: true, onSpent }, neverPause)
    // A GitHub App gets a token only for a repository.
    const testToken = 'app' in options ? () => Promise.reject(new Error(testedByRead)) : host.testToken
    const takeSpent = () => {
      const waitMs = spentMs
      spentMs = null
      return waitMs
    }
    return { pullRequestAt, testToken, takeSpent }
  }

  return (row: CodeHostRow): OpenedCodeHost => {
    const by = JSON.stringify([row.kind, row.url, row.sealedToken])
    const known = opened.get(row.codeHostId)
    if (known?.by === by) return known.codeHost
    const codeHost = open(row)
    opened.set(row.codeHostId, { by, codeHost })
    return codeHost
  }
}

export type OpenCodeHost = ReturnType<typeof createCodeHostOpener>

const testedByRead = 'Docket tests a GitHub App when it reads a pull request.'
const inSettings = { token: 'Settings › Connections', url: 'the address in Settings › Connections' }
const publicUrls = { github: 'https://github.com', gitlab: 'https://gitlab.com', gitea: null }

/** Returns origin and path without a trailing slash. Throws a readable `Error` for an address to which no token may be sent. */
export const normaliseCodeHostUrl = ({ kind, url }: Pick<CodeHostOptions, 'kind' | 'url'>): string => {
  const text = url ?? publicUrls[kind] ?? ''
  const parsed = URL.parse(text)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new Error('Enter an address that begins with https://.')
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new Error('Enter the address alone, without a user, a query or a fragment.')
  // People often enter the API address instead of the web address.
  const hostname = parsed.host.replace(/^(?:www|api)\.(github\.com|[^.]+\.ghe\.com)$/, '$1')
  const path = parsed.pathname.replace(/\/api\/v\d+\/?$/, '').replace(/\/+$/, '')
  const address = `${parsed.protocol}//${hostname}${path}`
  configureCodeHost({ kind, url: address, token: () => '', settings: inSettings }, neverPause)
  return address
}
