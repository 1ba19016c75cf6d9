import { useId } from 'react'

type ChoicesProps<Value extends string> = {
  legend: string
  options: readonly { value: Value; label: string; hint: string }[]
  value: Value
  onChange: (value: Value) => void
}

export const Choices = <Value extends string>({ legend, options, value: chosen, onChange }: ChoicesProps<Value>) => {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label
          key={value}
          className="flex cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 py-2 text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => onChange(value)}
            className="accent-accent"
          />
          <span>
            {label} <span className="font-normal text-muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
