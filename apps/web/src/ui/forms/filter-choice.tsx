import type { ReactNode } from 'react'
import { buttonClass } from '#ui/buttons/button.tsx'

type FilterChoiceProps<Value> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  children: ReactNode
}

/** Select that filters a list while its value is not `''`. */
export const FilterChoice = <Value extends string>(props: FilterChoiceProps<Value>) => (
  <select
    aria-label={props.label}
    value={props.value}
    onChange={({ target }) => props.onChange(target.value as Value)}
    className={`${buttonClass()} max-w-full min-w-0 appearance-auto truncate pr-1 font-normal max-sm:flex-1 sm:w-44 ${
      props.value === '' ? '' : 'border-accent!'
    }`}
  >
    {props.children}
  </select>
)
