import { useState } from 'react'
import { readStored, writeStored } from '#lib/storage.ts'
import { uuid } from '#lib/uuid.ts'

/** What is typed into the start form, and the id of the intent once it was sent. */
export type StartDraft = {
  domain: string
  version: string
  /** One path per line, as typed. */
  paths: string
  requestId: string | null
  /** The fields as they were sent under `requestId`. */
  sentAs: string | null
}

const empty: StartDraft = { domain: '', version: '', paths: '', requestId: null, sentAs: null }

const fieldsOf = ({ domain, version, paths }: StartDraft) => JSON.stringify([domain, version, paths])

/** The paths of a draft: one per line, empty lines left out; null when there are none, which means every page. */
export const pathsOf = (text: string): string[] | null => {
  const paths = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return paths.length > 0 ? paths : null
}

/**
 * The draft with the id to send it under. The same id as before when the same was sent and never answered, so that a retry
 * starts nothing twice; a new one when anything was changed.
 */
export const asIntent = (draft: StartDraft): StartDraft & { requestId: string } => {
  const fields = fieldsOf(draft)
  const requestId = draft.requestId !== null && draft.sentAs === fields ? draft.requestId : uuid()
  return { ...draft, requestId, sentAs: fields }
}

const parse = (text: string | null): StartDraft => {
  try {
    const found: unknown = JSON.parse(text ?? 'null')
    return typeof found === 'object' && found !== null ? { ...empty, ...found } : empty
  } catch {
    return empty
  }
}

/** The draft of the start form. It survives a reload of the tab. */
export const useStartDraft = () => {
  const [draft, setDraft] = useState(() => parse(readStored('session', 'start')))
  const change = (next: Partial<StartDraft>) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    writeStored('session', 'start', JSON.stringify(changed))
  }
  return { draft, change, clear: () => change(empty) }
}
