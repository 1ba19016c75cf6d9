import { type CodeHostOptions, type ConfiguredCodeHost, configureCodeHost } from '@docket/code-hosts/api/services'
import type { CodeHostRow } from '#connections/code-hosts.ts'
import { decrypt, type KeyRing } from '#secret/encrypted-text.ts'

/** A code host with a token of the environment. */
export type OwnCodeHost = Extract<CodeHostOptions, { token: unknown }>

/** A code host that is ready for calls. */
export type OpenedCodeHost = Pick<ConfiguredCodeHost, 'pullRequestAt' | 'testToken'> & {
  /** Ends of the limits that the service reported since the last time. Milliseconds from the answer. */
  takeSpent: () => number | null
}

/** The next look at a pull request is its retry. */
const neverPause = () => Promise.reject(new Error('Reads of pull requests are not repeated.'))

/**
 * Opens code hosts with their tokens, which it adds to `secrets` first. A code host is opened once for each token, so that unchanged
 * responses stay cached. Throws an `Error` with a sentence when this process has no token for it.
 */
export const codeHostOpener = (deps: {
  ring: KeyRing
  /** `LOCAL_CODE_HOST` and its token. Null without one. */
  own: OwnCodeHost | null
  secrets: Set<string>
}) => {
  const { ring, own, secrets } = deps
  const opened = new Map<string, { by: string; codeHost: OpenedCodeHost }>()

  const readToken = ({ sealedToken, url }: CodeHostRow): (() => string) => {
    if (sealedToken === null) {
      if (own === null || normaliseCodeHostUrl(own) !== url)
        throw new Error('This Docket’s environment doesn’t have its token.')
      return own.token
    }
    if (sealedToken === '') throw new Error('Its token can’t be read any more. Enter it again.')
    const token = decrypt(ring, sealedToken)
    return () => token
  }

  const open = (row: CodeHostRow): OpenedCodeHost => {
    const read = readToken(row)
    const token = () => {
      const current = read()
      if (current !== '') secrets.add(current)
      return current
    }
    let spentMs: number | null = null
    const onSpent = (waitMs: number) => void (spentMs = waitMs)
    const places = row.sealedToken === null ? { caFile: own?.caFile ?? null } : { settings: inSettings }
    const { pullRequestAt, testToken } = configureCodeHost(
      { kind: row.kind, url: row.url, token, readOnly: true, onSpent, ...places },
      neverPause,
    )
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

/** Opens the code host of a row. */
export type OpenCodeHost = ReturnType<typeof codeHostOpener>

const inSettings = { token: 'Settings › Connections', url: 'the address in Settings › Connections' }
const publicUrls = { github: 'https://github.com', gitlab: 'https://gitlab.com', gitea: null }

/**
 * The address as links begin with it: origin and path, without a slash at the end. Throws an `Error` with a sentence for one that a token
 * must not be sent to.
 */
export const normaliseCodeHostUrl = ({ kind, url }: Pick<CodeHostOptions, 'kind' | 'url'>): string => {
  const text = url ?? publicUrls[kind] ?? ''
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new Error('Enter an address that begins with https://.')
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new Error('Enter the address alone, without a user, a query or a fragment.')
  // People find the address of an API more easily than that of the pages.
  const hostname = parsed.host.replace(/^(?:www|api)\.(github\.com|[^.]+\.ghe\.com)$/, '$1')
  const path = parsed.pathname.replace(/\/api\/v\d+\/?$/, '').replace(/\/+$/, '')
  const address = `${parsed.protocol}//${hostname}${path}`
  configureCodeHost({ kind, url: address, token: () => '', settings: inSettings }, neverPause)
  return address
}
