export const Skeleton = ({ className }: { className: string }) => (
  <div aria-hidden="true" className={`animate-breathe rounded-sm bg-idle-soft ${className}`} />
)
