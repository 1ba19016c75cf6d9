import { useId } from 'react'

type SwitchProps = {
  label: string
  hint: string
  tone?: 'attention'
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export const Switch = ({ label, hint, tone, checked, disabled, onChange }: SwitchProps) => {
  const id = useId()
  return (
    <div className="text-sm">
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-describedby={id}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="inline-flex min-h-6 items-center gap-2.5 font-medium disabled:cursor-not-allowed disabled:text-muted"
      >
        <span
          aria-hidden="true"
          className={`flex h-5 w-9 shrink-0 items-center rounded-full border p-0.5 transition-colors ${checked ? 'border-accent bg-accent' : 'border-line-strong bg-sunken'}`}
        >
          <span
            className={`size-3.5 rounded-full transition-transform ${checked ? 'translate-x-4 bg-accent-ink' : 'bg-line-strong'}`}
          />
        </span>
        {label}
      </button>
      <p id={id} className={`mt-1 text-xs ${tone === 'attention' ? 'text-attention' : 'text-muted'}`}>
        {hint}
      </p>
    </div>
  )
}
