/** Number of characters from which a text may need a scroll bar. */
const longFrom = 600

export const LongText = ({ children, className = '' }: { children: string; className?: string }) => (
  <p
    dir="auto"
    // Focusable, so that the keyboard can scroll a long text.
    tabIndex={children.length > longFrom ? 0 : undefined}
    className={`overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere ${className}`}
  >
    {children}
  </p>
)
