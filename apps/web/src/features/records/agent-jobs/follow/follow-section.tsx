import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { readStored } from '#lib/state/store.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FollowForm } from './follow-form.tsx'

export const FollowSection = ({ projectIds }: { projectIds: readonly string[] }) => {
  // A reload must not hide a draft.
  const [before] = useState(() => readStored('session', 'follow') !== null)
  const [open, setOpen] = useState(before)
  const id = useId()
  return (
    <>
      <Button
        variant="quiet"
        aria-expanded={open}
        aria-controls={id}
        className="-mt-2 -ml-2 px-2"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden="true" />
        Add by job ID
      </Button>
      <div id={id} className="mt-1 empty:hidden">
        {open && <FollowForm projectIds={projectIds} autoFocus={!before} />}
      </div>
    </>
  )
}
