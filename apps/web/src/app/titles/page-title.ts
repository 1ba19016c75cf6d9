import { useEffect } from 'react'
import { createStore } from '#lib/state/store.ts'

/** Title of the record on the page; null on other pages. */
export const recordTitle = createStore<string | null>(null)

/** Shows a record in the title of the tab while its page is open; null while it is unknown. */
export const useRecordTitle = (title: string | null): void => {
  useEffect(() => recordTitle.set(title), [title])
  useEffect(() => () => recordTitle.set(null), [])
}
