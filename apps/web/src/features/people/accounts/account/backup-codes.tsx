import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { toast } from '#ui/messages/toast.ts'

const save = (text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'docket-backup-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}

/** Shows backup codes; only their hashes are stored. */
export const BackupCodesShown = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const [copied, setCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast('Copying failed. Save the codes as a file instead.', { tone: 'failed' }),
    )
  return (
    <div className="grid gap-4">
      <Notice tone="attention" title="Save these backup codes">
        Each code replaces the app once if you lose it. They are shown only now.
      </Notice>
      <ul
        aria-label="Backup codes"
        className="grid max-w-sm grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken p-3 font-mono text-sm select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button autoFocus onClick={copy}>
          {copied ? 'Copied' : 'Copy codes'}
        </Button>
        <Button onClick={() => save(text)}>Save as a file</Button>
        <Button variant="primary" onClick={onDone}>
          I saved them
        </Button>
      </div>
    </div>
  )
}
