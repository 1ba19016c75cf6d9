import { useSyncExternalStore } from 'react'
import { permissions, explainRefusal, promptRight, type Permission } from '#lib/people/permissions.ts'

/** Reason why the reader lacks the role `needed`, for a `refused` button; null when they have it. */
export const useRefusal = (needed: Permission): string | null =>
  explainRefusal(useSyncExternalStore(permissions.subscribe, permissions.get), needed)

/** Reason why the reader may not send prompts to agents; null when they may, and while unknown. */
export const usePromptRefusal = (): string | null => {
  const role = useRefusal('operator')
  const may = useSyncExternalStore(promptRight.subscribe, promptRight.get)
  return role ?? (may === false ? 'You may not send prompts to agents. Ask an admin to allow it.' : null)
}
