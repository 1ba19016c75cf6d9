import type { z } from 'zod'
import type { AuditAction } from './audit.ts'
import type { Role } from './roles.ts'

/**
 * API tokens that may use a route: `none` · `whole` those without a scope · `record` all, but a record outside their scope does not
 * exist for them · `all`, because the route itself respects their scope.
 */
type Tokens = 'none' | 'whole' | 'record' | 'all'

/**
 * Access to a route: the role that the caller must have or include anywhere, or `anyone`, and the API tokens. Connections are checked with the
 * record, or by the service. `prompts`: only for callers who may also send prompts to agents.
 */
export type Access = { role: Role | 'anyone'; tokens: Tokens; prompts?: true }

/** Without a `response` or `files` a route answers 204 or, to a GET, with a redirect that the browser follows. */
export type Parts = {
  query?: z.ZodType
  body?: z.ZodType
  response?: z.ZodType
  /** Status code of a success; 200 by default. */
  status?: 200 | 201
  /** The answer is a file of one of these media types. */
  files?: Readonly<Record<string, z.ZodType>>
  /** Page of the web app where people download the file. A link from elsewhere leads there. */
  page?: `/${string}`
  /** Further status codes of a success, with their descriptions. */
  also?: Readonly<Partial<Record<202 | 206 | 303 | 304 | 416, string>>>
  /** The body is a file of this media type. */
  uploads?: string
  audit?: AuditAction | readonly AuditAction[]
}

/** A route. `summary` and `answer`, which describes a success, are for `/api/openapi.json`. */
export type Route = Parts & { access: Access; summary: string; answer: string }

const routeFor =
  (access: Access) =>
  <const P extends Parts = object>(summary: string, answer: string, parts?: P) =>
    ({ access, summary, answer, ...parts }) as Pick<Route, 'access' | 'summary' | 'answer'> & P

export const anyone = routeFor({ role: 'anyone', tokens: 'all' })
/** Sign-in and sign-out; these use cookies. */
export const browser = routeFor({ role: 'anyone', tokens: 'none' })
/** The caller's own account and sessions, and what the service allows only to persons; no role is needed. */
export const person = routeFor({ role: 'none', tokens: 'none' })
/** Sites, their channels and releases: the service checks the rights for each. */
export const ofSites = routeFor({ role: 'none', tokens: 'all' })
export const viewer = routeFor({ role: 'viewer', tokens: 'whole' })
export const viewerInBrowser = routeFor({ role: 'viewer', tokens: 'none' })
export const viewerInScope = routeFor({ role: 'viewer', tokens: 'all' })
export const viewerOfRecord = routeFor({ role: 'viewer', tokens: 'record' })
export const operator = routeFor({ role: 'operator', tokens: 'whole' })
export const operatorInScope = routeFor({ role: 'operator', tokens: 'all' })
export const operatorOfRecord = routeFor({ role: 'operator', tokens: 'record' })
export const prompter = routeFor({ role: 'operator', tokens: 'whole', prompts: true })
export const prompterInScope = routeFor({ role: 'operator', tokens: 'all', prompts: true })
export const prompterOfRecord = routeFor({ role: 'operator', tokens: 'record', prompts: true })
export const auditor = routeFor({ role: 'auditor', tokens: 'none' })
export const admin = routeFor({ role: 'admin', tokens: 'none' })
