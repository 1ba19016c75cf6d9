import { usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { useRefusal } from '#ui/use-refusal.ts'

/**
 * Tells whether this Docket can create agent jobs and send follow-ups, and why the reader may not (null when they may).
 * Where it cannot, pages show neither buttons nor a refusal.
 */
export const usePrompting = (): { allowed: boolean; refused: string | null } => {
  const allowed = usePromptsAllowed()
  return { allowed, refused: useRefusal('operator') }
}
