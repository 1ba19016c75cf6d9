import { ApiError } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'

/** Saves a connection whose test did not prove the key. Renders nothing after other refusals. */
export const SaveAnyway = ({ error, busy, onSave }: { error: unknown; busy: boolean; onSave: () => void }) =>
  error instanceof ApiError &&
  error.code === 'conflict' &&
  error.field !== null && (
    <Button busy={busy} onClick={onSave}>
      Save anyway
    </Button>
  )
