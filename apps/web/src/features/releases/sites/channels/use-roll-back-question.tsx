import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RollBackDialog } from '#features/releases/sites/lazy-dialogs.ts'
import { findRollBack } from './find-roll-back.ts'

/** `ask` opens `dialog`, which rolls the main channel of a site back. */
export const useRollBackQuestion = (siteId: string) => {
  const client = useQueryClient()
  const [found, setFound] = useState<Awaited<ReturnType<typeof findRollBack>>>(null)
  return {
    ask: () => void findRollBack(client, siteId).then(setFound),
    dialog: found && <RollBackDialog {...found} onClose={() => setFound(null)} />,
  }
}
