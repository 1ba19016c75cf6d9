import type { ReactNode } from 'react'
import { Button, refusedProps, buttonClass } from '#ui/buttons/button.tsx'
import { popoverClass, usePlacedPopover } from '#ui/overlays/use-placed-popover.ts'

type ConfirmPopoverProps = {
  label: string
  title: string
  /** Reason why the popover does not open; null when it does. */
  refused: string | null
  action: string
  /** Reason why the action is impossible now; null when it is possible. */
  blocked?: string | null
  busy: boolean
  onConfirm: () => void
  children: ReactNode
}

export const ConfirmPopover = (props: ConfirmPopoverProps) => {
  const { label, title, refused, action, blocked = null, busy, onConfirm, children } = props
  const { open, hide, triggerProps, popoverProps } = usePlacedPopover((popover) =>
    popover.querySelector<HTMLElement>('[data-autofocus]')?.focus(),
  )
  if (refused !== null) return <Button refused={refused}>{label}</Button>
  return (
    <>
      <button {...triggerProps} {...refusedProps(null)} aria-busy={busy || undefined} className={buttonClass()}>
        {label}
      </button>
      {open && (
        <div
          {...popoverProps}
          role="dialog"
          aria-label={title}
          className={`${popoverClass} w-80 max-w-[calc(100vw-1rem)] p-4 text-sm`}
        >
          <p className="mb-2 font-semibold">{title}</p>
          {children}
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button onClick={hide}>Cancel</Button>
            <Button
              variant="primary"
              data-autofocus
              busy={busy}
              refused={blocked}
              onClick={() => {
                hide()
                onConfirm()
              }}
            >
              {action}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
