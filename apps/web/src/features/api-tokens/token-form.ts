import type { ApiTokenScope, CreateApiToken } from '@docket/api-types/api-tokens'
import { ApiError, toMessage } from '#lib/api-error.ts'

/** What stands in the form. */
export type TokenDraft = {
  name: string
  scope: ApiTokenScope
  /** True: only what `domains` and `projectIds` list. */
  restricted: boolean
  /** One a line. */
  domains: string
  projectIds: string
  /** Days; empty: never. */
  expiresInDays: string
}

/** A form nobody has touched. A token that ends by itself is the one to begin with. */
export const emptyDraft: TokenDraft = {
  name: '',
  scope: 'operate',
  restricted: false,
  domains: '',
  projectIds: '',
  expiresInDays: '90',
}

const splitLines = (text: string): string[] | null => {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length === 0 ? null : lines
}

/** What the form asks for; a sentence where it asks for nothing sensible. */
export const toRequest = (draft: TokenDraft): CreateApiToken | string => {
  const { name, scope, restricted, expiresInDays } = draft
  const domains = restricted ? splitLines(draft.domains) : null
  const projectIds = restricted ? splitLines(draft.projectIds) : null
  // Without a name in either, the token would reach everything.
  if (restricted && domains === null && projectIds === null)
    return 'Name at least one domain or project, or let the token reach everything.'
  return { name, scope, domains, projectIds, expiresInDays: expiresInDays === '' ? null : Number(expiresInDays) }
}

const fields = ['name', 'domains', 'projectIds'] as const

/** The message of a refusal for the field it is about; null for others. */
export const errorAt = (error: unknown, field: (typeof fields)[number]): string | null => {
  if (!(error instanceof ApiError) || error.field === null || error.field.split('.')[0] !== field) return null
  // What a schema refuses is told with the name of the field in front, which stands above it here.
  return error.message.startsWith(`${error.field}: `) ? error.message.slice(error.field.length + 2) : error.message
}

/** The message of a failure that is about no field; null when there is none. */
export const errorBeside = (error: unknown): string | null =>
  error === null || fields.some((field) => errorAt(error, field) !== null) ? null : toMessage(error)
