import type { Role } from '@docket/api-types/session'
import type { Environment } from './environment.ts'

/** The provider group for each role. Null without a group. For `viewer`, `*` means everybody whom the provider signs in. */
export type RoleGroups = Readonly<Record<Exclude<Role, 'none'>, string | null>>

/** True where groups decide the role at every sign-in. Where only viewers have a group, admins of Docket give the other roles. */
export const groupsDecide = ({ viewer, ...others }: RoleGroups): boolean =>
  Object.values(others).some((group) => group !== null)

/** True for an admin who stays one, whatever their groups. No unverified address may lead to such an account. */
export const keepsAdmin = (role: Role, groups: RoleGroups): boolean => role === 'admin' && groups.admin === null

const oidcGroups = ['OIDC_ADMIN_GROUP', 'OIDC_OPERATOR_GROUP', 'OIDC_AUDITOR_GROUP', 'OIDC_VIEWER_GROUP']

export const findOidcContradictions = (has: (name: string) => boolean): string[] => {
  const parts = [
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_NAME',
    'OIDC_SCOPES',
    'OIDC_GROUPS_CLAIM',
    'OIDC_GROUPS_SEPARATOR',
    'OIDC_SIGN_OUT',
    'OIDC_RECHECK_MINUTES',
    ...oidcGroups,
  ]
  if (!has('OIDC_ISSUER'))
    return parts.some(has)
      ? ['OIDC settings are there without OIDC_ISSUER. Set the address of the provider too, or remove them.']
      : []
  const missing = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].filter((name) => !has(name))
  return [
    ...missing.map((name) => `${name} is needed with OIDC_ISSUER.`),
    ...(oidcGroups.some(has)
      ? []
      : [
          'OIDC_ISSUER is set without a group that may come in. Set OIDC_ADMIN_GROUP, OIDC_OPERATOR_GROUP, OIDC_AUDITOR_GROUP or OIDC_VIEWER_GROUP, which may be * for everybody the provider signs in.',
        ]),
  ]
}

export const readOidcSettings = (env: Environment) => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = env
  const secret = env.OIDC_CLIENT_SECRET ?? env.OIDC_CLIENT_SECRET_FILE
  if (issuer === undefined || clientId === undefined || secret === undefined) return null
  return {
    issuer,
    clientId,
    /** A function, so printing the configuration cannot print it. */
    clientSecret: () => secret,
    name: env.OIDC_NAME,
    scopes: [...new Set(['openid', ...env.OIDC_SCOPES])],
    groupsClaim: env.OIDC_GROUPS_CLAIM,
    /** Signing out of Docket signs out at the provider. */
    signOut: env.OIDC_SIGN_OUT,
    /** Time between two reads of a person's groups while a session lasts. Null when only sign-ins read them. */
    recheckMinutes: env.OIDC_RECHECK_MINUTES ?? null,
    /** Null when one text is one group. */
    groupsSeparator: env.OIDC_GROUPS_SEPARATOR ?? null,
    groups: {
      admin: env.OIDC_ADMIN_GROUP ?? null,
      operator: env.OIDC_OPERATOR_GROUP ?? null,
      auditor: env.OIDC_AUDITOR_GROUP ?? null,
      viewer: env.OIDC_VIEWER_GROUP ?? null,
    } satisfies RoleGroups,
  }
}

export type OidcSettings = NonNullable<ReturnType<typeof readOidcSettings>> & {
  /** Limit for each request to the provider. Milliseconds; 10,000 by default. */
  timeoutMs?: number
}
