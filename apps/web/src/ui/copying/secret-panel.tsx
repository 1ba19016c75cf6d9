import { useState, type ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { toast } from '#ui/messages/toast.ts'

type SecretPanelProps = { what: 'link' | 'token'; text: string; children: ReactNode; onDone: () => void }

/** A secret that is shown only once, below what the reader should know about it. */
export const SecretPanel = ({ what, text, children, onDone }: SecretPanelProps) => {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast(`Copying failed. Select the ${what} and copy it.`, { tone: 'failed' }),
    )
  return (
    <div className="grid gap-4">
      {children}
      <code
        className="block rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere select-all"
        aria-label={what === 'link' ? 'Link' : 'Token'}
      >
        {text}
      </code>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Done</Button>
        <Button variant="primary" onClick={copy} autoFocus>
          {copied ? 'Copied' : `Copy ${what}`}
        </Button>
      </div>
    </div>
  )
}
