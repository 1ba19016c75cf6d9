import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { IconButton } from '#ui/buttons/button.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  wide?: boolean
  bare?: boolean
}

const OpenDialog = ({ onClose, title, children, wide = false, bare = false }: Omit<DialogProps, 'open'>) => {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    dialog.showModal()
    // The browser focuses the first focusable element, which may be a mere container.
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog.querySelector('input, textarea')
    if (first instanceof HTMLElement) first.focus()
  }, [])
  // The browser restores the focus only if the dialog closes while it is in the document.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the key for it
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // The cancel event of a file field inside the dialog bubbles.
      onCancel={(event) => event.target === ref.current && onClose()}
      // This event follows the closing; by then the reader may have opened another dialog.
      onClose={() => ref.current && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
      className={`animate-appear max-h-[85dvh] w-[calc(100%-2rem)] scroll-py-20 overflow-auto rounded-lg border border-line bg-raised shadow-float ${wide ? 'max-w-2xl' : 'max-w-md'} ${bare ? 'mt-[14dvh]' : ''}`}
    >
      <div className={bare ? '' : 'p-5 pt-0'}>
        <div
          className={
            bare ? 'sr-only' : 'sticky top-0 z-10 -mx-5 flex items-start justify-between gap-4 bg-raised px-5 pt-5 pb-3'
          }
        >
          <h2 id={titleId} dir="auto" className="text-lg font-semibold wrap-anywhere">
            {title}
          </h2>
          {!bare && <IconButton icon={X} label="Close" onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** Native modal dialog. Traps the focus, and closes on Escape or a click outside. */
export const Dialog = ({ open, ...props }: DialogProps) => open && <OpenDialog {...props} />
