import { Button } from './button.tsx'

type PressedButtonsProps<Value extends string> = {
  label: string
  options: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

export const PressedButtons = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: PressedButtonsProps<Value>) => (
  <div role="group" aria-label={label} className="flex flex-wrap gap-1">
    {(Object.keys(options) as Value[]).map((one) => (
      <Button
        key={one}
        variant="quiet"
        aria-pressed={one === value}
        className="aria-pressed:bg-accent-soft aria-pressed:text-text"
        onClick={() => onChange(one)}
      >
        {options[one]}
      </Button>
    ))}
  </div>
)
