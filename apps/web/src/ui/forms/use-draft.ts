import { useState } from 'react'
import { createDraft, type IntentDraft } from '#lib/state/intent-draft.ts'
import { readStored, writeStored } from '#lib/state/store.ts'
import { parseJson } from '#lib/text/json.ts'

const parseDraft = <Fields extends object>(text: string | null, empty: IntentDraft<Fields>): IntentDraft<Fields> => {
  const found = parseJson(text ?? 'null')
  return typeof found === 'object' && found !== null ? { ...empty, ...found } : empty
}

/** Draft of the form `name`; survives a reload. `clear` empties it except for `rest`. */
export const useDraft = <Fields extends object>(name: string, fields: Fields) => {
  const empty = createDraft(fields)
  const [draft, setDraft] = useState(() => parseDraft(readStored('session', name), empty))
  const keep = (next: IntentDraft<Fields>) => {
    setDraft(next)
    writeStored('session', name, JSON.stringify(next))
  }
  return {
    draft,
    change: (next: Partial<IntentDraft<Fields>>) => keep({ ...draft, ...next }),
    clear: (rest: Partial<Fields> = {}) => keep({ ...empty, ...rest }),
  }
}

/** Text typed in a dialog; it survives errors, closing and a reload. */
export const useTypedText = (name: string): [string, (text: string) => void] => {
  const [text, setText] = useState(() => readStored('session', name) ?? '')
  const change = (next: string) => {
    setText(next)
    writeStored('session', name, next || null)
  }
  return [text, change]
}
