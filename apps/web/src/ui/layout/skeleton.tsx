export const Skeleton = ({ className }: { className: string }) => (
  <div aria-hidden="true" className={`animate-breathe rounded-sm bg-idle-soft ${className}`} />
)

type LoadingProps = { label?: string; lines: readonly string[]; className?: string }

/** Stands in for data that is being read. `lines`: the look of each skeleton. Screen readers hear the label. */
export const Loading = ({ label, lines, className }: LoadingProps) => (
  <div {...(label ? { role: 'status', 'aria-label': label } : { 'aria-busy': true })} className={className}>
    {lines.map((line, nth) => (
      <Skeleton key={nth} className={line} />
    ))}
  </div>
)
