import type { Role } from '@docket/api-types/session'

/**
 * API tokens that may use a route: `none` · `whole` those without a scope · `record` all, but a record outside their scope does not
 * exist for them · `all`, because the route itself respects their scope.
 */
export type Tokens = 'none' | 'whole' | 'record' | 'all'

/**
 * Access to a route: the role that somebody must have or include anywhere, or `anyone`, and the API tokens. Connections are checked with the
 * record (`recordsWithinScope`), or by the service. `prompts`: only for those who may also send prompts to agents.
 */
export type Rule = { role: Role | 'anyone'; tokens: Tokens; prompts?: true }

/** No sign-in needed. */
export const anyone: Rule = { role: 'anyone', tokens: 'all' }
/** Sign-in and sign-out; these use cookies. */
export const browser: Rule = { role: 'anyone', tokens: 'none' }
/** Viewers, and tokens without a scope. */
export const viewer: Rule = { role: 'viewer', tokens: 'whole' }
/** Operators, and their tokens without a scope. */
export const operator: Rule = { role: 'operator', tokens: 'whole' }
/** Routes about the person's own account and sessions; also for somebody without a role. */
export const person: Rule = { role: 'none', tokens: 'none' }
/** Auditors and admins; no tokens. */
export const auditor: Rule = { role: 'auditor', tokens: 'none' }
/** A person who looks at records; no token has a browser. */
export const looking: Rule = { role: 'viewer', tokens: 'none' }
/** Admins; no tokens. */
export const admin: Rule = { role: 'admin', tokens: 'none' }

/** Sites, their channels and releases: the service checks the rights for each. */
export const ofSites: Rule = { role: 'none', tokens: 'all' }

/** Also for tokens with a scope, which the route respects. */
export const withinScope = (rule: Rule): Rule => ({ ...rule, tokens: 'all' })
/** Only for those who may send prompts to agents. */
export const prompting = (rule: Rule): Rule => ({ ...rule, prompts: true })
/** Also for tokens with a scope that includes the record. */
export const recordWithinScope = (rule: Rule): Rule => ({ ...rule, tokens: 'record' })
