import { copyText } from './copy.ts'

/** Id that copies itself when it is pressed. A single element, because lists have hundreds of them. */
export const CopyText = ({ text, className }: { text: string; className: string }) => (
  <button
    type="button"
    data-id=""
    title={`Copy ${text}`}
    onClick={() => void copyText(text, `Copied ${text}.`)}
    className={`h-6 cursor-copy truncate rounded-sm font-mono text-[0.6875rem] decoration-dotted underline-offset-2 hover:text-text hover:underline ${className}`}
  >
    {text}
  </button>
)
