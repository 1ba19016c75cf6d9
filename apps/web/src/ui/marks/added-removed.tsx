import { formatCount } from '#lib/text/format.ts'

type AddedRemovedProps = { added: number; removed: number; what: 'lines' | 'words'; className?: string }

/** Added and removed lines or words, with words for readers who do not see colours. */
export const AddedRemoved = ({ added, removed, what, className = '' }: AddedRemovedProps) => (
  <span className={`font-mono whitespace-nowrap ${className}`}>
    <span className="text-done">
      +{formatCount(added)}
      <span className="sr-only"> {what} added,</span>
    </span>{' '}
    <span className="text-failed">
      −{formatCount(removed)}
      <span className="sr-only"> removed</span>
    </span>
  </span>
)
