import { CopyButton } from './copy-button.tsx'

type CodeFigureProps = { file: string; text: string; label?: string }

/** A text to copy, under its file name. */
export const CodeFigure = ({ file, text, label = `Copy ${file}` }: CodeFigureProps) => (
  <figure className="mt-3 overflow-hidden rounded-md border border-line">
    <figcaption className="flex items-center justify-between gap-4 border-b border-line bg-sunken px-3 py-1.5 font-mono text-xs">
      <span className="wrap-anywhere">{file}</span>
      <CopyButton text={text} label={label} />
    </figcaption>
    <pre
      className="max-h-112 overflow-auto px-3 py-2.5 font-mono text-xs/5"
      tabIndex={0}
      role="region"
      aria-label={file}
    >
      {text}
    </pre>
  </figure>
)
