import type { MaintenancePreview } from '@docket/api-types/maintenance'
import { formatCount } from '#lib/text/format.ts'
import { Notice } from '#ui/messages/notice.tsx'

const Lines = ({ title, lines, count }: { title: string; lines: readonly string[]; count: number }) =>
  lines.length > 0 && (
    <div className="mt-2">
      <p className="text-xs font-medium text-text">{title}</p>
      <ul
        aria-label={title}
        className="mt-1 max-h-40 overflow-y-auto font-mono text-xs wrap-anywhere"
        // Focusable, so that the keyboard can scroll it.
        tabIndex={lines.length > 6 ? 0 : undefined}
      >
        {lines.map((line, index) => (
          // Lines may repeat, and the list never changes.
          <li key={index}>
            <bdi>{line}</bdi>
          </li>
        ))}
        {count > lines.length && <li className="text-muted">and {formatCount(count - lines.length)} more</li>}
      </ul>
    </div>
  )

/** What an order would do: counts first, then the first places and findings. */
export const PreviewNotice = ({ preview }: { preview: MaintenancePreview }) => {
  const { summary, files, occurrences, examples, findings, firstFindings, notes } = preview
  return (
    <Notice tone={files === 0 ? 'idle' : 'live'} role="status" title={`Preview: ${summary}`}>
      {files === 0 && <p>The job would change nothing and open no pull request. Its report is on its page.</p>}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Lines title="Would change" lines={examples} count={occurrences} />
      <Lines title="Left for a person" lines={firstFindings} count={findings} />
    </Notice>
  )
}
