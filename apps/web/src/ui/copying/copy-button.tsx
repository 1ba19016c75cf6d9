import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#ui/buttons/button.tsx'

/** Copies `text` and confirms it with the icon. `small` fits a line of small text. */
export const CopyButton = ({ text, label, small = false }: { text: string; label: string; small?: boolean }) => {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1600)
  }
  const Icon = copied ? Check : Copy
  return (
    <IconButton
      icon={Icon}
      iconClass={small ? 'size-3' : 'size-3.5'}
      className={small ? '-my-0.5 size-6' : '-my-1.5 size-7'}
      label={copied ? 'Copied' : label}
      title={label}
      onClick={() => void copy()}
    />
  )
}
