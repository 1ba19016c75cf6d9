import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ApiError, findErrorAt, toMessageAtField } from '#lib/api/api-error.ts'
import { Button, IconButton } from '#ui/buttons/button.tsx'
import { FieldError, TextField } from '#ui/forms/form.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import type { HeaderDraft } from './channel-draft.ts'

const maxHeaders = 20

type HeaderFieldsProps = {
  headers: readonly HeaderDraft[]
  /** Names that Docket no longer accepts. */
  old: readonly string[]
  onChange: (headers: HeaderDraft[]) => void
  error: unknown
}

const findHeaderError = (error: unknown, index: number, name: 'name' | 'value') => {
  const field = error instanceof ApiError ? error.field : null
  const isHere = field === `headers.${index}.${name}` || (name === 'name' && field === `headers.${index}`)
  return isHere ? toMessageAtField(error) : null
}

export const HeaderFields = ({ headers, old, onChange, error }: HeaderFieldsProps) => {
  const isAdmin = useRefusal('admin') === null
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (added.current) list.current?.querySelector<HTMLElement>('li:last-child input')?.focus()
    added.current = false
  }, [headers.length])
  if (!isAdmin) return null
  const add = () => {
    added.current = true
    onChange([...headers, { key: Math.max(0, ...headers.map(({ key }) => key)) + 1, name: '', value: '' }])
  }
  const type = (key: number, changes: Partial<HeaderDraft>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...changes } : header)))
  const general = error instanceof ApiError && error.field === 'headers' ? findErrorAt(error, 'headers') : null
  return (
    <fieldset>
      <legend className="text-sm font-medium">Headers</legend>
      <p className="mt-0.5 text-xs text-muted">Docket adds them to each response of this channel.</p>
      <ul ref={list} className="grid gap-3 not-empty:mt-3">
        {headers.map(({ key, name, value }, index) => (
          <li key={key} className="flex items-start gap-2">
            <div
              role="group"
              aria-label={`Header ${index + 1}`}
              className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[2fr_3fr]"
            >
              <TextField
                label="Name"
                placeholder="X-Robots-Tag"
                hint={old.includes(name) && 'No longer accepted. Remove it when you change headers.'}
                autoCapitalize="none"
                value={name}
                onChange={({ target }) => type(key, { name: target.value })}
                error={findHeaderError(error, index, 'name')}
              />
              <TextField
                label="Value"
                value={value}
                onChange={({ target }) => type(key, { value: target.value })}
                error={findHeaderError(error, index, 'value')}
              />
            </div>
            <IconButton
              icon={X}
              className="mt-6.5"
              label={`Remove header ${name.trim() || index + 1}`}
              onClick={() => onChange(headers.filter((header) => header.key !== key))}
            />
          </li>
        ))}
      </ul>
      <FieldError>{general}</FieldError>
      <Button
        className="mt-3"
        refused={headers.length >= maxHeaders ? `A channel has at most ${maxHeaders} headers.` : null}
        onClick={add}
      >
        <Plus className="size-4" aria-hidden="true" />
        Add a header
      </Button>
    </fieldset>
  )
}
