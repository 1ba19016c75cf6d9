export const Kbd = ({ children }: { children: string }) => (
  <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-sunken px-1 font-sans text-xs text-muted">
    {children}
  </kbd>
)
