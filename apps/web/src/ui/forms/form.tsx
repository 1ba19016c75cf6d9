import { useEffect, useRef, type ComponentProps } from 'react'

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
