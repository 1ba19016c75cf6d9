import { usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { useRefusal } from '#ui/use-refusal.ts'

/**
 * Whether agent jobs can be created and sent follow-ups from this Docket at all, and why whoever reads may not (null when they may).
 * Where it is not allowed there is nothing to show, not even a refusal.
 */
export const usePrompting = (): { allowed: boolean; refused: string | null } => {
  const allowed = usePromptsAllowed()
  return { allowed, refused: useRefusal('operator') }
}
