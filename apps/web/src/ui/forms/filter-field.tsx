import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

const quietMs = 150

type FilterFieldProps = { label: string; value: string; onChange: (value: string) => void }

/**
 * Filters a list while typing. Reports the text after a short pause, so that no key waits for the list. The key `/` focuses it.
 */
export const FilterField = ({ label, value, onChange }: FilterFieldProps) => {
  const [{ text, reported }, setState] = useState({ text: value, reported: value })
  // The value changed from outside, such as by *Back*.
  if (value !== reported) setState({ text: value, reported: value })
  const tell = useEffectEvent(() => {
    setState({ text, reported: text })
    onChange(text)
  })
  useEffect(() => {
    if (text === reported) return
    const timer = setTimeout(tell, quietMs)
    return () => clearTimeout(timer)
  }, [text, reported])
  return (
    <label className="relative block min-w-0 flex-1 basis-32">
      <span className="sr-only">{label}</span>
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden="true" />
      <input
        type="search"
        dir="auto"
        data-hotkey="filter"
        autoComplete="off"
        spellCheck={false}
        placeholder="Filter"
        maxLength={200}
        value={text}
        onChange={(event) => setState({ text: event.target.value, reported })}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && text !== reported && tell()}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-sm"
      />
    </label>
  )
}
