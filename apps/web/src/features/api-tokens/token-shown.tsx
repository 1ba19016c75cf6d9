import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { toast } from '#ui/toast.ts'

/** Shows a new token; only its hash is stored. */
export const TokenShown = ({ token, name, onDone }: { token: string; name: string; onDone: () => void }) => {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(token).then(
      () => setCopied(true),
      () => toast('Could not copy. Select the token and copy it yourself.', { tone: 'failed' }),
    )
  return (
    <div className="grid gap-4">
      <Notice tone="attention" title={`Keep the token of “${name}” now`}>
        It is shown this once and never again. Whoever has it can do what it may do: keep it where secrets are kept,
        such as the masked variables of your CI.
      </Notice>
      <code
        className="block rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm wrap-anywhere select-all"
        aria-label="Token"
      >
        {token}
      </code>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>Done</Button>
        <Button variant="primary" onClick={copy} data-autofocus>
          {copied ? 'Copied' : 'Copy token'}
        </Button>
      </div>
    </div>
  )
}
