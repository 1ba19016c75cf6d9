import { CopyButton } from '#ui/copying/copy-button.tsx'

export const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="inline-flex max-w-full items-center gap-1">
    <code className="min-w-0 font-mono text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} label={label} />
  </span>
)
