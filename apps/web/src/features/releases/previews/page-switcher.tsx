import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { pageSearchQuery } from './previews.queries.ts'

type PageSwitcherProps = { exportId: string; page: string; onPage: (address: string) => void }

export const PageSwitcher = ({ exportId, page, onPage }: PageSwitcherProps) => {
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const search = useDeferredValue(text?.trim() ?? '')
  const client = useQueryClient()
  const { data } = useQuery({ ...pageSearchQuery(exportId, search), enabled: text !== null })
  const pages = data?.pages ?? []
  const go = (target: string) => {
    setText(null)
    onPage(target)
  }
  /** Goes to the best match. The suggestions may still be those of an earlier text. */
  const find = async (words: string) => {
    const { pages: matches } = await client.fetchQuery(pageSearchQuery(exportId, words))
    if (matches[0]) go(matches[0].address)
    else toast(`No page matches “${words}”.`)
  }
  return (
    <form
      role="search"
      className="flex min-w-0 flex-1 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = text?.trim() ?? page
        if (wanted.startsWith('/') || pages.some(({ address }) => address === wanted)) go(wanted)
        else find(wanted).catch(toastFailure())
      }}
    >
      <input
        type="text"
        inputMode="search"
        aria-label="Page"
        list={id}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        placeholder="Search pages"
        value={text ?? page}
        onFocus={({ target }) => {
          setText(page)
          target.select()
        }}
        onBlur={() => setText(null)}
        onChange={({ target, nativeEvent }) => {
          // Browsers report a choice from the list without a kind of input, or as a replacement.
          const kind = 'inputType' in nativeEvent ? nativeEvent.inputType : undefined
          if (
            (kind === undefined || kind === 'insertReplacementText') &&
            pages.some(({ address }) => address === target.value)
          )
            go(target.value)
          else setText(target.value)
        }}
        className="h-8 min-w-0 flex-1 rounded-md border border-line-strong/60 bg-surface px-2.5 font-mono text-sm"
      />
      <datalist id={id}>
        {pages.map(({ address, title }) => (
          <option key={address} value={address}>
            {reveal(title)}
          </option>
        ))}
      </datalist>
      <Button type="submit" onMouseDown={(event) => event.preventDefault()}>
        Go
      </Button>
    </form>
  )
}
