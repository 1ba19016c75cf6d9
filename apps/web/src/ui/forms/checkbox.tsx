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
