export const Logo = ({ className = 'size-6' }: { className?: string }) => (
  <svg viewBox="0 0 32 32" className={`shrink-0 text-accent ${className}`} aria-hidden="true">
    <path
      fill="currentColor"
      d="M8 2h16a3 3 0 0 1 3 3v12.5a3.5 3.5 0 0 0 0 7V27a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-2.5a3.5 3.5 0 0 0 0-7V5a3 3 0 0 1 3-3z"
    />
    <g fill="none" stroke="var(--color-accent-ink)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
      <path d="M11 9h10M11 14.5h5" />
      <path d="m11.5 22.5 3 3 6-6.5" />
    </g>
  </svg>
)
