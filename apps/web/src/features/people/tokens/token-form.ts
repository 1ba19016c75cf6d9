import type { TokenSite } from '@docket/api-types/grants'
import type { ApiTokenScope, CreateApiToken } from '@docket/api-types/tokens'
import { splitLines } from '#lib/text/lines.ts'

export const emptyDraft = {
  name: '',
  scope: 'operate' as ApiTokenScope,
  /** Only used with `operate`. */
  mayPrompt: true,
  /** When true, the token reaches only what `domains`, `projectIds`, `sites` and `connectionIds` list. */
  restricted: false,
  /** One name per line. */
  domains: '',
  projectIds: '',
  sites: [] as readonly TokenSite[],
  /** The token reaches every connection when this is empty. */
  connectionIds: [] as readonly string[],
  /** Days until the token expires. It never expires when this is empty. */
  expiresInDays: '90',
}

export type TokenDraft = typeof emptyDraft

const readNames = (text: string): string[] | null => {
  const names = splitLines(text, /[\n,]/)
  return names.length === 0 ? null : names
}

/** The request, or a message that names the missing field. */
export const toTokenRequest = (draft: TokenDraft): CreateApiToken | string => {
  const { name, scope, mayPrompt, restricted, expiresInDays } = draft
  const domains = restricted ? readNames(draft.domains) : null
  const projectIds = restricted ? readNames(draft.projectIds) : null
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
