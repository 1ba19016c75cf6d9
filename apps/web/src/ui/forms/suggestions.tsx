type SuggestionsProps = {
  label: string
  values: readonly string[]
  names?: ReadonlyMap<string, string>
  onPick: (value: string) => void
}

/** Up to this many values are all buttons, each a stop of the Tab key. A field with more lists them itself. */
export const maxSuggestions = 6
const examples = 3

/** Buttons with suggested values for a field. Reserves the space while there are none. */
export const Suggestions = ({ label, values, names, onPick }: SuggestionsProps) => {
  const isLong = values.length > maxSuggestions
  return values.length === 0 ? (
    <span className="block h-6" />
  ) : (
    <span className="flex flex-wrap items-center gap-1.5">
      {label}
      {values.slice(0, isLong ? examples : undefined).map((value) => (
        <button
          key={value}
          type="button"
          onClick={() => onPick(value)}
          className="h-6 max-w-full truncate rounded-full border border-line bg-sunken px-2.5 text-xs text-text hover:bg-hover"
        >
          {names?.get(value) ?? value}
        </button>
      ))}
      {isLong && `and ${values.length - examples} more`}
    </span>
  )
}
