import { explainOperate } from '#lib/connections/connections.ts'
import { useConnections } from '#ui/connections/connections.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'

/** Reason why the reader may change nothing on the embedded code host; null when they may. */
export const useActRefusal = (): string | null => {
  const embedded = useConnections()?.find(({ kind }) => kind === 'embedded') ?? null
  return explainOperate(embedded, useRefusal('operator'))
}
