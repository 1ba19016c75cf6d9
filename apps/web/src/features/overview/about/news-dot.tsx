export const NewsDot = () => (
  <span className="size-2 shrink-0 rounded-full bg-accent">
    <span className="sr-only">New</span>
  </span>
)
