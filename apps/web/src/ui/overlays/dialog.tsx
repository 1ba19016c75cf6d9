import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode, type ComponentProps } from 'react'
import { IconButton, Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { toastDone } from '#ui/messages/toast.ts'

type DialogProps = {
  onClose: () => void
  title: string
  children: ReactNode
  wide?: boolean
  bare?: boolean
}

/** Native modal dialog. Traps the focus, and closes on Escape or a click outside. */
export const Dialog = ({ onClose, title, children, wide = false, bare = false }: DialogProps) => {
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

type QuestionDialogProps = {
  title: string
  children: ReactNode
  action: string
  keep?: string
  variant?: 'danger' | 'primary'
  /** Why what the reader confirmed did not happen, with `failure` as its title. */
  error?: unknown
  failure?: string | undefined
  busy?: boolean
  refused?: string | null
  onConfirm: () => void
  onClose: () => void
}

export const QuestionDialog = (props: QuestionDialogProps) => {
  const { title, children, action, keep = 'Cancel', variant = 'primary', error = null, failure, busy, refused } = props
  return (
    <Dialog onClose={props.onClose} title={title}>
      <div className="text-sm">
        {children}
        <div className="mt-3 empty:hidden">
          <FormFailure error={error} title={failure} />
        </div>
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={props.onClose} data-autofocus={variant === 'danger' ? '' : undefined}>
          {keep}
        </Button>
        <Button variant={variant} busy={busy} refused={refused} onClick={props.onConfirm} data-autofocus="">
          {action}
        </Button>
      </div>
    </Dialog>
  )
}

type DeleteDialogProps = Omit<ComponentProps<typeof QuestionDialog>, 'error' | 'busy' | 'onConfirm'> & {
  deletion: { error: unknown; isPending: boolean }
  onDelete: () => Promise<unknown>
  message?: string
}

export const DeleteDialog = ({ deletion, onDelete, message, ...question }: DeleteDialogProps) => {
  const end = message === undefined ? question.onClose : toastDone(message, question.onClose)
  const run = () => void onDelete().then(end, () => undefined)
  return (
    <QuestionDialog variant="danger" {...question} error={deletion.error} busy={deletion.isPending} onConfirm={run} />
  )
}
