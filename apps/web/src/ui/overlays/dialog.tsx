import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  wide?: boolean
  bare?: boolean
}

/** Native modal dialog. Traps the focus, and closes on Escape or a click outside. */
export const Dialog = ({ open, onClose, title, children, wide = false, bare = false }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!open || !dialog || dialog.open) return
    dialog.showModal()
    // The browser focuses the first focusable element, which may be a mere container.
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector('input, textarea')
    if (first instanceof HTMLElement) first.focus()
  }, [open])
  if (!open) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key for it
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current.close()}
      className={`animate-appear max-h-[85dvh] w-[calc(100%-2rem)] overflow-auto rounded-lg border border-line bg-raised shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'} ${bare ? 'mt-[14dvh]' : ''}`}
    >
      <div className={bare ? '' : 'p-5'}>
        <div className={bare ? 'sr-only' : 'mb-3 flex items-start justify-between gap-4'}>
          <h2 id={titleId} dir="auto" className="text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          {!bare && (
            <Button variant="quiet" size="icon" aria-label="Close" onClick={() => ref.current?.close()}>
              <X className="size-4" aria-hidden="true" />
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}
