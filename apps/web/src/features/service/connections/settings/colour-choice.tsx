import type { ConnectionColour } from '@docket/api-types/connections'
import { useId } from 'react'
import { ConnectionDot } from '#ui/connections/connection-mark.tsx'

const colours: readonly { value: ConnectionColour | null; label: string }[] = [
  { value: null, label: 'None' },
  { value: 'grey', label: 'Grey' },
  { value: 'blue', label: 'Blue' },
  { value: 'green', label: 'Green' },
  { value: 'amber', label: 'Amber' },
  { value: 'red', label: 'Red' },
  { value: 'violet', label: 'Violet' },
]

type ColourChoiceProps = { value: ConnectionColour | null; onChange: (value: ConnectionColour | null) => void }

/** Radio buttons for the colour of a connection's mark. */
export const ColourChoice = ({ value: chosen, onChange }: ColourChoiceProps) => {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1.5">
        {colours.map(({ value, label }) => (
          <label
            key={label}
            className="flex h-8 cursor-pointer items-center gap-2 rounded-md border border-line px-2.5 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={value === chosen}
              onChange={() => onChange(value)}
              className="sr-only"
            />
            <ConnectionDot colour={value} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
