import type { ApiTokenScope, CreateApiToken } from '@docket/api-types/api-tokens'
import { ApiError, toMessage } from '#lib/api-error.ts'

/** Values of the form. */
export type TokenDraft = {
  name: string
  scope: ApiTokenScope
  /** True: only what `domains` and `projectIds` list. */
  restricted: boolean
  /** One name per line. */
  domains: string
  projectIds: string
  /** Days; empty: never. */
  expiresInDays: string
}

/** Initial form; tokens expire by default. */
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

/** The request, or a sentence that names the missing field. */
export const toRequest = (draft: TokenDraft): CreateApiToken | string => {
  const { name, scope, restricted, expiresInDays } = draft
  const domains = restricted ? splitLines(draft.domains) : null
  const projectIds = restricted ? splitLines(draft.projectIds) : null
  // Without domains and projects, the token would have access to everything.
  if (restricted && domains === null && projectIds === null)
    return 'Name at least one domain or project, or let the token reach everything.'
  return { name, scope, domains, projectIds, expiresInDays: expiresInDays === '' ? null : Number(expiresInDays) }
}

const fields = ['name', 'domains', 'projectIds'] as const

/** Message of a refusal that concerns `field`, or null. */
export const errorAt = (error: unknown, field: (typeof fields)[number]): string | null => {
  if (!(error instanceof ApiError) || error.field === null || error.field.split('.')[0] !== field) return null
  // Schemas put the field's name in front; the label already shows it.
  return error.message.startsWith(`${error.field}: `) ? error.message.slice(error.field.length + 2) : error.message
}

/** Message of a failure that concerns no field, or null. */
export const errorBeside = (error: unknown): string | null =>
  error === null || fields.some((field) => errorAt(error, field) !== null) ? null : toMessage(error)
