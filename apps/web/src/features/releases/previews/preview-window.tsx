import { revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import type { OpenPreview } from './use-preview.ts'

export type PreviewWidth = '360' | '768' | 'full'
export type PreviewScheme = 'light' | 'dark'

const widthClass: Readonly<Record<PreviewWidth, string>> = { '360': 'w-[360px]', '768': 'w-[768px]', full: 'w-full' }
/** A page without a background shows the `Canvas` of the frame's own scheme, as in a window of its own. */
const schemeClass: Readonly<Record<PreviewScheme, string>> = { light: 'scheme-light', dark: 'scheme-dark' }

/** Frames without a lasting store, where browsers have them. React has no type for the attribute. */
const withoutStore = { credentialless: '' }

type PreviewWindowProps = { open: OpenPreview; width?: PreviewWidth; scheme?: PreviewScheme }

const PreviewMessage = ({ title, children, onOpen }: { title: string; children: string; onOpen?: () => void }) => (
  <div className="p-4">
    <Notice
      tone="attention"
      role="status"
      title={title}
      action={onOpen && <Button onClick={onOpen}>Open again</Button>}
    >
      {children}
    </Notice>
  </div>
)

export const PreviewWindow = ({ open, width = 'full', scheme }: PreviewWindowProps) => {
  const { preview, error, ended, blocked, src, frameKey, page, onLoad, openAgain, reload } = open
  if (error)
    return (
      <PreviewMessage title="The preview didn’t open" onOpen={openAgain}>
        {error.message}
      </PreviewMessage>
    )
  if (ended)
    return (
      <PreviewMessage title="This preview has ended" onOpen={openAgain}>
        A preview ends with your session, after eight hours, and when its export is removed or its bundle deleted.
      </PreviewMessage>
    )
  if (blocked?.isStuck)
    return (
      <PreviewMessage title="This page leads straight to another site" onOpen={reload}>
        {`Previews only open pages of the bundle, and this one goes to ${revealHiddenCharacters(blocked.address)}.`}
      </PreviewMessage>
    )
  if (!preview || src === '') return <Skeleton className="size-full" />
  return (
    <div className="size-full overflow-x-auto bg-sunken">
      <iframe
        {...withoutStore}
        key={frameKey}
        title={`Preview of ${revealHiddenCharacters(page)}`}
        sandbox={
          preview.isolation === 'own_host' ? 'allow-scripts allow-forms allow-same-origin' : 'allow-scripts allow-forms'
        }
        referrerPolicy="no-referrer"
        onLoad={onLoad}
        className={`mx-auto block h-full border-0 bg-[Canvas] ${widthClass[width]} ${scheme ? schemeClass[scheme] : ''}`}
        src={src}
      />
    </div>
  )
}
