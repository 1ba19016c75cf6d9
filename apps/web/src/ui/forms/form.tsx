import { useEffect, useRef, useId, type ComponentProps, type ReactNode } from 'react'
import { ApiError, findErrorBeside } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'

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

const controlClass =
  'w-full rounded-md border bg-surface px-3 text-base text-text shadow-[inset_0_1px_2px_var(--color-sunken)] aria-invalid:border-failed'
// Browsers count every select and every choice of a file as read-only.
const inputClass = `${controlClass} read-only:not-[[type=file]]:bg-sunken`

type FieldProps = { label: string; hint?: ReactNode; error?: string | null | undefined; optional?: boolean }

const describeControl = (id: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ') || undefined,
})

/** Why a field is refused, for below it. Renders nothing without a reason. */
export const FieldError = ({ id, children }: { id?: string | undefined; children: string | null | undefined }) =>
  children && (
    <p id={id} role="alert" dir="auto" className="mt-1 text-sm text-failed wrap-anywhere">
      {children}
    </p>
  )

type FrameProps = FieldProps & { id: string; children: ReactNode }

const FieldFrame = ({ id, label, hint, error, optional, children }: FrameProps) => (
  <div className="min-w-0">
    <label htmlFor={id} className="mb-1 block text-sm font-medium">
      {label} {optional && <span className="font-normal text-muted">(optional)</span>}
    </label>
    {children}
    <FieldError id={`${id}-error`}>{error}</FieldError>
    {hint && (
      <div id={`${id}-hint`} className="mt-1 text-xs text-muted">
        {hint}
      </div>
    )}
  </div>
)

type TextFieldProps = FieldProps &
  ComponentProps<'input'> & { end?: ReactNode; options?: readonly string[] | false | undefined }

/** Text input with label, hint and error; `end` is at most 36 px wide. The browser suggests `options` while typing. */
export const TextField = (props: TextFieldProps) => {
  const { label, hint, error, optional = false, end, options, ...rest } = props
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, optional }}>
      <div className="relative">
        <input
          dir="auto"
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...describeControl(id, { hint, error })}
          {...rest}
          {...(options && { list: `${id}-options` })}
          className={`${inputClass} h-9 border-line-strong ${end ? 'pr-10' : ''}`}
        />
        {options && (
          <datalist id={`${id}-options`}>
            {options.map((option) => (
              <option key={option} value={option} aria-label={option} />
            ))}
          </datalist>
        )}
        {end && <div className="absolute inset-y-0 right-0.5 flex items-center">{end}</div>}
      </div>
    </FieldFrame>
  )
}

/** Text area with label, hint and error; `prose` for sentences instead of codes. */
export const TextArea = (props: FieldProps & ComponentProps<'textarea'> & { prose?: boolean }) => {
  const { label, hint, error, optional = false, prose = false, ...rest } = props
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, optional }}>
      <textarea
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        {...describeControl(id, { hint, error })}
        {...rest}
        className={`${inputClass} field-sizing-content max-h-72 border-line-strong py-2 text-sm ${prose ? 'min-h-28' : 'min-h-16 font-mono'}`}
      />
    </FieldFrame>
  )
}

export const SelectField = (props: FieldProps & ComponentProps<'select'>) => {
  const { label, hint, error, optional = false, children, ...rest } = props
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, optional }}>
      <select
        {...describeControl(id, { hint, error })}
        {...rest}
        className={`${controlClass} h-9 cursor-pointer border-line-strong`}
      >
        {children}
      </select>
    </FieldFrame>
  )
}

/** Props that bind a text field or a select to a value. */
export const bindText = (value: string, change: (text: string) => void) => ({
  value,
  onChange: ({ target }: { target: { value: string } }) => change(target.value),
})

type FieldName<Draft, Value> = { [Name in keyof Draft]: Draft[Name] extends Value ? Name : never }[keyof Draft] & string

/** Props that bind fields to a draft by their names: `text` for text fields, with the message of `findError`; `flag` for checkboxes. */
export const bindDraft = <Draft extends object>(
  draft: Draft,
  change: (changes: Partial<Draft>) => void,
  findError: (name: string) => string | null | undefined,
) => ({
  text: (name: FieldName<Draft, string>) => ({
    ...bindText(draft[name] as string, (text) => change({ [name]: text } as Partial<Draft>)),
    error: findError(name),
  }),
  flag: (name: FieldName<Draft, boolean>) => ({
    checked: draft[name] as boolean,
    onChange: (checked: boolean) => change({ [name]: checked } as Partial<Draft>),
  }),
})

type CheckboxProps = { label: string; hint?: string; checked: boolean; onChange: (checked: boolean) => void }

export const Checkbox = ({ label, hint, checked, onChange }: CheckboxProps) => (
  <label className="flex min-h-6 cursor-pointer items-start gap-2.5 text-sm font-medium">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="mt-0.5 size-4 accent-accent"
    />
    <span>
      {label}
      {hint && <span className="block text-xs font-normal text-muted">{hint}</span>}
    </span>
  </label>
)

/** The choices of a select, each with its value and its label. */
export const Options = ({ of }: { of: readonly (readonly [value: string, label: string])[] }) =>
  of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
