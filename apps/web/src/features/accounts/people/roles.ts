import type { Role } from '@docket/api-types/session'

/** Labels of the roles, in ascending order. */
export const roles: readonly { value: Role; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'looks at everything' },
  { value: 'operator', label: 'Operator', may: 'also starts, downloads and follows' },
  { value: 'admin', label: 'Admin', may: 'also manages people, tokens and settings' },
]
