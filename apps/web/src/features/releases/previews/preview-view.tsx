import type { SandboxReason } from '@docket/api-types/previews'
import { useState, type ReactNode } from 'react'
import { reveal } from '#lib/text/reveal.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { PageSwitcher } from './page-switcher.tsx'
import { ViolationList } from './preview-violations.tsx'
import { PreviewWindow, type PreviewScheme, type PreviewWidth } from './preview-window.tsx'
import { usePreview } from './use-preview.ts'

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
  /** True in a tab of its own, where the preview fills the window. */
  alone: boolean
  onPage: (address: string) => void
  /** Link to the preview in a tab of its own, or back; `className` is that of a button. */
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
      It tried to open <bdi className="font-mono">{reveal(blocked.address)}</bdi>. Previews don’t open other sites.
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
