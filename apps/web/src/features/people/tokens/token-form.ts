import type { ApiTokenScope, CreateApiToken } from '@docket/api-types/tokens'
import type { TokenSite } from '@docket/api-types/grants'

export type TokenDraft = {
  name: string
  scope: ApiTokenScope
  /** Only used with `operate`. */
  mayPrompt: boolean
  /** When true, the token reaches only what `domains`, `projectIds`, `sites` and `connectionIds` list. */
  restricted: boolean
  /** One name per line. */
  domains: string
  projectIds: string
  sites: readonly TokenSite[]
  /** The token reaches every connection when this is empty. */
  connectionIds: readonly string[]
  /** Days until the token expires. It never expires when this is empty. */
  expiresInDays: string
}

export const emptyDraft: TokenDraft = {
  name: '',
  scope: 'operate',
  mayPrompt: true,
  restricted: false,
  domains: '',
  projectIds: '',
  sites: [],
  connectionIds: [],
  expiresInDays: '90',
}

const splitLines = (text: string): string[] | null => {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

/** The request, or a message that names the missing field. */
export const toTokenRequest = (draft: TokenDraft): CreateApiToken | string => {
  const { name, scope, mayPrompt, restricted, expiresInDays } = draft
  const domains = restricted ? splitLines(draft.domains) : null
  const projectIds = restricted ? splitLines(draft.projectIds) : null
  const connectionIds = restricted && draft.connectionIds.length > 0 ? [...draft.connectionIds] : null
  const sites = restricted && draft.sites.length > 0 ? [...draft.sites] : null
  // Without any of them, the token would have access to everything.
  if (restricted && domains === null && projectIds === null && sites === null && connectionIds === null)
    return 'Enter at least one domain, project or site, or choose Everything.'
  return {
    name,
    scope,
    mayPrompt,
    domains,
    projectIds,
    sites,
    connectionIds,
    expiresInDays: expiresInDays === '' ? null : Number(expiresInDays),
  }
}
