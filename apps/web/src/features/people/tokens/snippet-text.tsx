import { CopyButton } from '#ui/copying/copy-button.tsx'
import type { SnippetChoice } from './snippet-scripts.ts'
import { snippet, snippetFile, type SnippetPlace, type SnippetTask } from './snippets.ts'

const Verification = ({ delivery }: Pick<SnippetChoice, 'delivery'>) =>
  delivery === 'stream' ? (
    <>
      The script compares the SHA-256 of the file with the one that Docket computed while sending it. The service itself
      sends no checksum.
    </>
  ) : (
    <>
      This Docket redirects downloads to the storage, so there is no SHA-256 to compare. The script checks that the
      archive is complete.
    </>
  )

/** Snippet to copy, with its file name and a note on verification. */
export const SnippetText = (props: { choice: SnippetChoice; task: SnippetTask; place: SnippetPlace }) => {
  const { choice, task, place } = props
  const text = snippet(choice, task, place)
  const file = snippetFile(task, place)
  return (
    <>
      <figure className="panel overflow-hidden">
        <figcaption className="flex items-center justify-between gap-4 border-b border-line px-4 py-2 font-mono text-sm">
          <span className="wrap-anywhere">{file}</span>
          <CopyButton text={text} label="Copy the script" />
        </figcaption>
        <pre
          className="max-h-112 overflow-auto px-4 py-3 font-mono text-xs/5"
          tabIndex={0}
          role="region"
          aria-label={file}
        >
          {text}
        </pre>
      </figure>
      {task === 'export' && (
        <p className="mt-3 max-w-prose text-xs text-muted">
          <Verification delivery={choice.delivery} />
        </p>
      )}
    </>
  )
}
