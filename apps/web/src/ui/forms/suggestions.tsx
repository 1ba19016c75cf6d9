/** Buttons with suggested values for a field. Reserves the space while there are none. */
export const Suggestions = ({
  label,
  values,
  names,
  onPick,
}: {
  label: string
  values: readonly string[]
  /** Shown instead of values that have one. */
  names?: ReadonlyMap<string, string>
  onPick: (value: string) => void
}) =>
  values.length === 0 ? (
    <span className="block h-6" />
  ) : (
    <span className="flex flex-wrap items-center gap-1.5">
      {label}
      {values.map((value) => (
        <button
          key={value}
          type="button"
          onClick={() => onPick(value)}
          className="h-6 max-w-full truncate rounded-full border border-line bg-sunken px-2.5 text-xs text-text hover:bg-hover"
        >
          {names?.get(value) ?? value}
        </button>
      ))}
    </span>
  )
