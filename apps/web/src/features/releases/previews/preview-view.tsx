import type { SandboxReason, PreviewViolations } from '@docket/api-types/previews'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useDeferredValue, useId, type ReactNode } from 'react'
import { revealHiddenCharacters, formatCount, formatPlural } from '#lib/text/format.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { Options } from '#ui/forms/form.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { PreviewWindow, type PreviewScheme, type PreviewWidth } from './preview-window.tsx'
import { pageSearchQuery } from './previews.queries.ts'
import { usePreview } from './use-preview.ts'

type PageSwitcherProps = { exportId: string; page: string; onPage: (address: string) => void }

const PageSwitcher = ({ exportId, page, onPage }: PageSwitcherProps) => {
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
  /** Opens the best match. The suggestions may still belong to an earlier text. */
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
        <Options of={pages.map(({ address, title }) => [address, revealHiddenCharacters(title)])} />
      </datalist>
      <Button type="submit" onMouseDown={(event) => event.preventDefault()}>
        Go
      </Button>
    </form>
  )
}

const kinds: Readonly<Record<string, string>> = {
  'script-src': 'Script',
  'script-src-elem': 'Script',
  'style-src': 'Style',
  'style-src-elem': 'Style',
  'img-src': 'Image',
  'font-src': 'Font',
  'connect-src': 'Request',
  'media-src': 'Media',
  'frame-src': 'Frame',
  'form-action': 'Form',
  'base-uri': 'Base address',
  'worker-src': 'Worker',
  'service-worker': 'Service worker',
}

type Violations = PreviewViolations['violations']
type ViolationListProps = { violations: Violations; page: string; onPage: (address: string) => void }

const ViolationList = ({ violations, page, onPage }: ViolationListProps) => {
  const isHere = (one: Violations[number]) => one.page === page
  const sorted = [...violations.filter(isHere), ...violations.filter((one) => !isHere(one))]
  return (
    <section aria-labelledby="blocked-requests" className="panel min-w-0 self-start">
      <h2 id="blocked-requests" className="border-b border-line px-4 py-2.5 text-sm font-semibold">
        Blocked requests <span className="font-normal text-muted tabular-nums">{formatCount(violations.length)}</span>
      </h2>
      <p role="status" className="sr-only">
        {violations.length > 0 && formatPlural(violations.length, 'blocked request')}
      </p>
      {sorted.length === 0 ? (
        <p className="px-4 py-3 text-sm text-muted">
          None so far. Requests to other hosts are listed here when you open the pages that make them.
        </p>
      ) : (
        <ul className="max-h-[60dvh] divide-y divide-line overflow-y-auto text-sm">
          {sorted.map((one) => (
            <li key={`${one.page} ${one.directive} ${one.target}`} className="px-4 py-2">
              <p>
                <span className="font-medium">{kinds[one.directive] ?? one.directive}</span>
                {one.count > 1 && <span className="text-muted tabular-nums"> × {formatCount(one.count)}</span>}
              </p>
              <p className="wrap-anywhere">
                <bdi className="font-mono text-xs">{revealHiddenCharacters(one.target)}</bdi>
              </p>
              <p className="text-xs text-muted">
                {isHere(one) ? (
                  'On this page'
                ) : (
                  <Button variant="quiet" className="-ml-3 h-7 max-w-full" onClick={() => onPage(one.page)}>
                    <bdi className="truncate text-xs">{revealHiddenCharacters(one.page)}</bdi>
                  </Button>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const widths = { '360': '360 px', '768': '768 px', full: 'Full' } as const
const schemes = { light: 'Light', dark: 'Dark' } as const

const sandboxReasons: Readonly<Record<SandboxReason, string>> = {
  no_host: 'An admin can give previews hostnames of their own with PREVIEW_URL.',
  shared_cookies:
    'PREVIEW_URL is below Docket’s own domain, so pages could set cookies for Docket. It needs a domain of its own.',
  by_number: 'Previews get hostnames of their own if you open Docket at the address that it printed when it started.',
}

type PreviewViewProps = {
  exportId: string
  path: string
  alone: boolean
  onPage: (address: string) => void
  link: (page: string, look: { className: string }) => ReactNode
}

export const PreviewView = ({ exportId, path, alone, onPage, link }: PreviewViewProps) => {
  const open = usePreview(exportId, path)
  const [width, setWidth] = useState<PreviewWidth>('full')
  const [scheme, setScheme] = useState<PreviewScheme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  )
  const { preview, blocked, violations, page } = open
  const goTo = (address: string) => (address === path ? open.goTo(address) : onPage(address))
  const toolbar = (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-0 basis-72 grow items-center">
        <PageSwitcher exportId={exportId} page={page} onPage={goTo} />
      </div>
      <PressedButtons label="Width" options={widths} value={width} onChange={setWidth} />
      <PressedButtons label="Colours" options={schemes} value={scheme} onChange={setScheme} />
      <Button onClick={open.reload}>Reload</Button>
      {link(page, { className: buttonClass() })}
    </div>
  )
  const leaving = blocked && !blocked.isStuck && (
    <Notice tone="attention" role="status" title="The page tried to leave the bundle">
      It tried to open <bdi className="font-mono">{revealHiddenCharacters(blocked.address)}</bdi>. Previews don’t open
      other sites.
    </Notice>
  )
  const frame = <PreviewWindow open={open} width={width} scheme={scheme} />
  if (alone)
    return (
      <div className="fixed inset-0 z-40 grid grid-rows-[auto_minmax(0,1fr)] bg-surface">
        <div className="grid gap-2 border-b border-line p-2">
          {toolbar}
          {leaving}
        </div>
        {frame}
      </div>
    )
  return (
    <div className="grid gap-3">
      {toolbar}
      {preview?.isolation === 'sandbox' && (
        <Notice tone="idle" title="This preview is in a sandbox">
          Pages can’t keep data in the browser, and links and files that begin with / don’t load.{' '}
          {preview.reason && sandboxReasons[preview.reason]}
        </Notice>
      )}
      {leaving}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="panel h-[75dvh] min-w-0 overflow-hidden">{frame}</div>
        <ViolationList violations={violations} page={page} onPage={goTo} />
      </div>
    </div>
  )
}
