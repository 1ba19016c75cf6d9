import { useState } from 'react'
import { readStored, writeStored } from '#lib/state/storage.ts'

/** Text that somebody types in a dialog; stays through errors, closing and a reload. */
export const useTyped = (name: string): [string, (text: string) => void] => {
  const [text, setText] = useState(() => readStored('session', name) ?? '')
  const change = (next: string) => {
    setText(next)
    writeStored('session', name, next || null)
  }
  return [text, change]
}
