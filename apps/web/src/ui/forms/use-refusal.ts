import { useSyncExternalStore } from 'react'
import { permissions, explainRefusal, type Permission } from '#lib/permissions.ts'

/** Reason why the reader lacks the role `needed`, as a sentence for a `refused` button; null when they have it. */
export const useRefusal = (needed: Permission): string | null =>
  explainRefusal(useSyncExternalStore(permissions.subscribe, permissions.get), needed)
