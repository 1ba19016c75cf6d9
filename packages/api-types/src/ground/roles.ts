type RoleFacts = {
  includes: readonly string[]
  /** The role's equivalent on a connection, or for a group. */
  asGrant: 'none' | 'viewer' | 'operator'
  /** Changes no record, whatever grants say. */
  readsOnly?: true
  label: string
  /** Description after the label, in a list of choices. */
  hint: string
  /** Description for users who have the role. */
  may: string
  /** With its article. */
  article: string
  /** Names the allowed roles, in the message of a refusal. */
  openTo: string
}

/** The roles of people, in ascending order. `none`: only what grants give. Neither auditor nor operator includes the other. */
export const roles = {
  none: {
    includes: [],
    asGrant: 'none',
    label: 'Limited',
    hint: 'only their roles on connections and sites',
    may: 'Ask an admin for one.',
    article: 'without a role',
    openTo: 'Everyone with an account',
  },
  viewer: {
    includes: ['none'],
    asGrant: 'viewer',
    label: 'Viewer',
    hint: 'can view everything',
    may: 'You can view everything.',
    article: 'a viewer',
    openTo: 'Only people with a role',
  },
  auditor: {
    includes: ['none', 'viewer'],
    asGrant: 'none',
    readsOnly: true,
    label: 'Auditor',
    hint: 'can view everything and read the audit',
    may: 'You can view everything and read the audit.',
    article: 'an auditor',
    openTo: 'Only auditors and admins',
  },
  operator: {
    includes: ['none', 'viewer'],
    asGrant: 'operator',
    label: 'Operator',
    hint: 'can also start and download exports and add jobs',
    may: 'You can view everything, start and download exports, and add agent jobs.',
    article: 'an operator',
    openTo: 'Only operators and admins',
  },
  admin: {
    includes: ['none', 'viewer', 'auditor', 'operator'],
    asGrant: 'operator',
    label: 'Admin',
    hint: 'can also manage people, tokens and settings',
    may: 'You can do everything, including managing people, tokens and settings.',
    article: 'an admin',
    openTo: 'Only admins',
  },
} as const satisfies Record<string, RoleFacts>

export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as [Role, ...Role[]]

/** Roles that people and groups may have on a connection, a site or a channel. */
export const grantRoles = ['viewer', 'operator'] as const
export type GrantRole = (typeof grantRoles)[number]

// A page may be older than the server and lack a role.
const facts: Readonly<Partial<Record<string, RoleFacts>>> = roles

export const includesRole = (role: Role, needed: Role): boolean =>
  role === needed || facts[role]?.includes.includes(needed) === true

export const onlyReads = (role: Role): boolean => facts[role]?.readsOnly === true

export const explainRole = (needed: Role): string => `${roles[needed].openTo} can do this. Ask an admin for access.`
