import { useId } from 'react'

type Option = { label: string; hint: string; chosen: boolean; choose: () => void }

/** Radio buttons, each with a hint. */
export const Choices = ({ legend, options }: { legend: string; options: readonly Option[] }) => {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {options.map(({ label, hint, chosen, choose }) => (
        <label
          key={label}
          className="flex cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 py-2 text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input type="radio" name={name} checked={chosen} onChange={choose} className="accent-accent" />
          <span>
            {label} <span className="font-normal text-muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
