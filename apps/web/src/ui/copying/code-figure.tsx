import { Download } from 'lucide-react'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { IconButton } from '#ui/buttons/button.tsx'
import { CopyButton } from './copy-button.tsx'
import { saveText } from './save-file.ts'

type CodeFigureProps = { file: string; text: string; label?: string; saves?: boolean }

/** More lines would slow the page; the copy and the download are complete. */
const maxShown = 20_000

/** A text to copy, and with `saves` to download, under its file name. */
export const CodeFigure = ({ file, text, label = `Copy ${file}`, saves = false }: CodeFigureProps) => (
  <figure className="min-w-0 overflow-hidden rounded-md border border-line not-first:mt-3">
    <figcaption className="flex items-center gap-1 border-b border-line bg-sunken px-3 py-1.5 font-mono text-xs">
      <span className="mr-auto wrap-anywhere">{file}</span>
      <CopyButton text={text} label={label} />
      {saves && (
        <IconButton
          icon={Download}
          iconClass="size-3.5"
          className="-my-1.5 size-7"
          label={`Download ${file}`}
          title={`Download ${file}`}
          onClick={() => saveText(file, text)}
        />
      )}
    </figcaption>
    <pre
      className="max-h-112 overflow-auto px-3 py-2.5 font-mono text-xs/5"
      tabIndex={0}
      role="region"
      aria-label={file}
      dir="ltr"
    >
      {revealHiddenCharacters(text.slice(0, maxShown))}
      {text.length > maxShown && '\n…'}
    </pre>
    {text.length > maxShown && (
      <p className="border-t border-line px-3 py-2 text-xs text-muted">The rest is in what you copy or download.</p>
    )}
  </figure>
)
