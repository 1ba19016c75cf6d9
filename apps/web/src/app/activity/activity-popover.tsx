import { X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { IconButton } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/page.tsx'

const ActivityPanel = lazy(() => import('./activity-panel.tsx').then((module) => ({ default: module.ActivityPanel })))

export const popoverId = 'activity'

const findActivityPopover = () => document.querySelector<HTMLElement>(`#${popoverId}`)

export const toggleActivity = (): void => void findActivityPopover()?.togglePopover()

/**
 * Positions the activity panel as a browser popover: Escape, a click outside and a new `page` close it, and return the
 * focus.
 */
export const ActivityPopover = ({ page }: { page: string }) => {
  const ref = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (ref.current?.matches(':popover-open')) ref.current.hidePopover()
  }, [page])
  return (
    <section
      ref={ref}
      id={popoverId}
      popover="auto"
      role="dialog"
      aria-label="Activity"
      tabIndex={-1}
      onToggle={(event) => {
        if (event.target !== event.currentTarget) return
        const isOpen = event.newState === 'open'
        setOpen(isOpen)
        if (isOpen) event.currentTarget.focus({ preventScroll: true })
      }}
      className="fixed inset-auto top-14 right-2 left-2 m-0 ml-auto max-h-[calc(100dvh-8.5rem)] w-auto max-w-md flex-col overflow-hidden rounded-lg border border-line bg-raised text-text shadow-float outline-none open:flex sm:left-auto sm:w-96 lg:top-4 lg:right-auto lg:left-[15rem] lg:max-h-[calc(100dvh-2rem)]"
    >
      <div className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-base font-semibold">Activity</h2>
        <IconButton icon={X} label="Close" onClick={() => ref.current?.hidePopover()} />
      </div>
      {open && (
        <Suspense fallback={<Skeleton className="m-4 h-32" />}>
          <ActivityPanel />
        </Suspense>
      )}
    </section>
  )
}
