import type { Role } from '@docket/api-types/session'

/** Labels of the roles, in ascending order. */
export const roles: readonly { value: Role; label: string; hint: string }[] = [
  { value: 'none', label: 'Limited', hint: 'only what roles on connections give' },
  { value: 'viewer', label: 'Viewer', hint: 'looks at everything' },
  { value: 'operator', label: 'Operator', hint: 'also starts, downloads and follows' },
  { value: 'admin', label: 'Admin', hint: 'also manages people, tokens and settings' },
]
