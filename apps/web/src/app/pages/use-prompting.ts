import { usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { useRefusal } from '#ui/use-refusal.ts'

/**
 * Whether this Docket can create agent jobs and send follow-ups, and why the reader may not (null when they may). Show nothing, not
 * even a refusal, where it is not allowed.
 */
export const usePrompting = (): { allowed: boolean; refused: string | null } => {
  const allowed = usePromptsAllowed()
  return { allowed, refused: useRefusal('operator') }
}
