import { useEffect, useSyncExternalStore } from 'react'
import { usePageTitleAndKey } from '#app/address/use-page.ts'
import { createStore } from '#lib/state/store.ts'

/** Title of the record on the page; null on other pages. */
export const recordTitle = createStore<string | null>(null)

/** Shows the record or the name of the page in the title of the tab. */
export const useTabTitle = (): void => {
  const { title } = usePageTitleAndKey()
  const record = useSyncExternalStore(recordTitle.subscribe, recordTitle.get)
  useEffect(() => {
    document.title = `${record ?? title} · Docket`
  }, [record, title])
}

/** Shows a record in the title of the tab while its page is open; null while it is unknown. */
export const useRecordTitle = (title: string | null): void => {
  useEffect(() => recordTitle.set(title), [title])
  useEffect(() => () => recordTitle.set(null), [])
}
