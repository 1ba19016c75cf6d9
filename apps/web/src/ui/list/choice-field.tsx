import { useId, useState } from 'react'

export type ChoiceFieldProps = {
  label: string
  value: string
  /** Suggestions; undefined while unknown. One with a label is shown and typed by it. */
  options: readonly (string | { value: string; label: string })[] | undefined
  onOpen: () => void
  onChange: (value: string) => void
}

/** Input for one exact value, with suggestions. Applies a suggestion at once, other text on Enter or blur. */
export const ChoiceField = ({ label, value: chosen, options, onOpen, onChange }: ChoiceFieldProps) => {
  const id = useId()
  const labels = options?.map((option) => (typeof option === 'string' ? option : option.label))
  const values = options?.map((option) => (typeof option === 'string' ? option : option.value))
  const value = labels?.[values?.indexOf(chosen) ?? -1] ?? chosen
  const [{ text, reported }, setState] = useState({ text: value, reported: value })
  const [open, setOpen] = useState(false)
  if (value !== reported) setState({ text: value, reported: value })
  const choose = (next: string) => {
    setState({ text: next, reported: next.trim() })
    if (next.trim() !== reported) onChange(values?.[labels?.indexOf(next.trim()) ?? -1] ?? next.trim())
  }
  return (
    <label className="block min-w-0 flex-1 basis-32">
      <span className="sr-only">{label}</span>
      <input
        type="search"
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        title={text === '' ? undefined : text}
        value={text}
        onFocus={() => {
          setOpen(true)
          onOpen()
        }}
        onBlur={() => {
          setOpen(false)
          choose(text)
        }}
        onChange={({ target }) =>
          target.value === '' || labels?.includes(target.value)
            ? choose(target.value)
            : setState({ text: target.value, reported })
        }
        onKeyDown={(event) => event.key === 'Enter' && choose(text)}
        className={`h-8 w-full rounded-md border bg-surface px-2.5 text-sm ${value === '' ? 'border-line-strong' : 'border-accent'}`}
      />
      <datalist id={id}>
        {open && labels?.map((option) => <option key={option} value={option} aria-label={option} />)}
      </datalist>
    </label>
  )
}
