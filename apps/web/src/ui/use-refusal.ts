import { useSyncExternalStore } from 'react'
import { permissions, explainRefusal, type Permission } from '#lib/permissions.ts'

/** Why the reader may not do what takes the role `needed`, in a sentence for a `refused` button; null when they may. */
export const useRefusal = (needed: Permission): string | null =>
  explainRefusal(useSyncExternalStore(permissions.subscribe, permissions.get), needed)
