import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { ApiError, findErrorBeside } from '#lib/api/api-error.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { Button } from '#ui/buttons/button.tsx'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit: () => void
  /** True while the request is under way; it is not sent twice. */
  busy?: boolean
  /** A new error moves the focus to the first invalid field. */
  error?: unknown
}

export const Form = ({ onSubmit, busy = false, error = null, ...rest }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit()
      }}
      {...rest}
    />
  )
}

type FormFailureProps = {
  /** A failure, or a message. */
  error: unknown
  title?: string | undefined
  /** Remaining wait from `useWait`; null once it is over. */
  wait?: string | null
  fields?: readonly string[]
}

/** Shows why a form was refused. A wait counts down on screen; screen readers hear it once. */
export const FormFailure = ({ error, title, wait, fields = [] }: FormFailureProps) => {
  const text = typeof error === 'string' ? error : findErrorBeside(error, fields)
  const isWait = error instanceof ApiError && error.code === 'too_many_requests'
  if (!text || (isWait && wait === null)) return null
  return (
    <Notice tone="failed" role="alert" title={title}>
      {isWait && wait ? (
        <>
          <span className="sr-only">{text}</span>
          <span aria-hidden="true">{wait}</span>
        </>
      ) : (
        text
      )}
    </Notice>
  )
}

type FormActionsProps = {
  submit: string
  busy: boolean
  refused?: string | null
  /** Further buttons, before the usual ones. */
  children?: ReactNode
  onCancel: () => void
}

/** The line with the buttons of a dialog. It stays in view while a long form scrolls. */
export const actionsLineClass =
  'sticky bottom-0 z-10 -my-3 flex flex-wrap items-center justify-end gap-2 bg-raised py-3'

export const FormActions = ({ submit, busy, refused, children, onCancel }: FormActionsProps) => (
  <div className={actionsLineClass}>
    {children}
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant="primary" busy={busy} refused={refused}>
      {submit}
    </Button>
  </div>
)
