/** A grey bar in the place of text that is still to come. */
export const Skeleton = ({ className }: { className: string }) => (
  <div aria-hidden="true" className={`breathe rounded-sm bg-idle-soft ${className}`} />
)
