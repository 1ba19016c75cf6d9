import { Download } from 'lucide-react'
import { reveal } from '#lib/text/reveal.ts'
import { Button } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { saveText } from '#ui/copying/save-file.ts'

/** More would only slow the page; the copy and the download have it all. */
const maxShown = 20_000

/** A file to read, copy and download. */
export const ConfigurationFile = ({ name, text }: { name: string; text: string }) => {
  const isCut = text.length > maxShown
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border border-line">
      <figcaption className="flex items-center gap-1 border-b border-line py-1 pr-2 pl-3 font-mono text-sm">
        <span className="mr-auto wrap-anywhere">{name}</span>
        <CopyButton text={text} label={`Copy ${name}`} />
        <Button
          variant="quiet"
          size="icon"
          className="-my-1.5 size-7"
          aria-label={`Download ${name}`}
          title={`Download ${name}`}
          onClick={() => saveText(name, text)}
        >
          <Download className="size-3.5" aria-hidden="true" />
        </Button>
      </figcaption>
      <pre
        className="max-h-80 overflow-auto px-3 py-2 font-mono text-xs/5"
        tabIndex={0}
        role="region"
        aria-label={name}
        dir="ltr"
      >
        {reveal(text.slice(0, maxShown))}
        {isCut && '\n…'}
      </pre>
      {isCut && (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">The rest is in what you copy or download.</p>
      )}
    </figure>
  )
}
