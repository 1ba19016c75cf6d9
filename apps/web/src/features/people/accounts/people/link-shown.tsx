import type { OneTimeLink } from '@docket/api-types/accounts'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toast } from '#ui/messages/toast.ts'

/** True for a loopback address, which always means the machine that opens it. */
const isLoopback = (url: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)

/** Shows a one-time link; only its hash is stored. */
export const OneTimeLinkPanel = ({ link, whose, onDone }: { link: OneTimeLink; whose: string; onDone: () => void }) => {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(link.url).then(
      () => setCopied(true),
      () => toast('Copying failed. Select the link and copy it.', { tone: 'failed' }),
    )
  return (
    <div className="grid gap-4">
      <Notice tone="attention" title={`Send this link to ${whose}`}>
        Docket doesn’t send it for you. Anyone with the link can use it once, until <Instant at={link.expiresAt} />. It
        is shown only now.
      </Notice>
      {isLoopback(link.url) && (
        <p className="text-sm text-muted">
          It only works on this computer, like this Docket. To let other computers in, run Docket behind an HTTPS proxy
          and set <code className="font-mono text-text">PUBLIC_URL</code>.
        </p>
      )}
      <code
        className="block rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere select-all"
        aria-label="Link"
      >
        {link.url}
      </code>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Done</Button>
        <Button variant="primary" onClick={copy} autoFocus>
          {copied ? 'Copied' : 'Copy link'}
        </Button>
      </div>
    </div>
  )
}
