import type { LinkProps } from '@tanstack/react-router'
import { Gauge, GitPullRequest, Grid3x3, Package, Settings, type LucideIcon } from 'lucide-react'

type Destination = {
  to: LinkProps['to'] & string
  /** Where it is the current page, unless that is `to`. */
  within?: string
  name: string
  short: string
  key: string
  icon: LucideIcon
}

/** The pages that can be gone to directly, and the key after `g` that does it. */
export const destinations: readonly Destination[] = [
  { to: '/', name: 'Overview', short: 'Overview', key: 'o', icon: Gauge },
  { to: '/exports', name: 'Exports', short: 'Exports', key: 'e', icon: Package },
  { to: '/agent-jobs', name: 'Agent jobs', short: 'Jobs', key: 'a', icon: GitPullRequest },
  { to: '/availability', name: 'Availability', short: 'Features', key: 'v', icon: Grid3x3 },
  {
    to: '/settings/connection',
    within: '/settings',
    name: 'Settings',
    short: 'Settings',
    key: 's',
    icon: Settings,
  },
]
