import { Gauge, GitPullRequest, Grid3x3, Package, Settings, type LucideIcon } from 'lucide-react'

/** The pages that can be gone to directly, and the key after `g` that does it. */
export const destinations = [
  { to: '/', name: 'Overview', short: 'Overview', key: 'o', icon: Gauge },
  { to: '/exports', name: 'Exports', short: 'Exports', key: 'e', icon: Package },
  { to: '/agent-jobs', name: 'Agent jobs', short: 'Jobs', key: 'a', icon: GitPullRequest },
  { to: '/availability', name: 'Availability', short: 'Features', key: 'v', icon: Grid3x3 },
  { to: '/settings/connection', name: 'Settings', short: 'Settings', key: 's', icon: Settings },
] as const satisfies readonly { to: string; name: string; short: string; key: string; icon: LucideIcon }[]
