import { usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { useRefusal } from '#ui/use-refusal.ts'

/** Whether whoever reads may create agent jobs and send follow-ups: the operator of this Docket allows it, and so does their role. */
export const useMayPrompt = (): boolean => {
  const allowed = usePromptsAllowed()
  return useRefusal('operator') === null && allowed
}
