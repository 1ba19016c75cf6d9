/** Look of a state. Each tone has its own colour and shape, so that colour is never the only sign. */
export type Tone = 'live' | 'waiting' | 'done' | 'merged' | 'failed' | 'attention' | 'idle' | 'archived'

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
const cut = { ...stroke, stroke: 'var(--color-surface)' } as const

const shapes: Record<Tone, React.ReactNode> = {
  live: (
    <>
      <circle cx="8" cy="8" r="6" {...stroke} opacity="0.28" />
      <path d="M8 2a6 6 0 0 1 6 6" {...stroke} strokeWidth={2.25} />
    </>
  ),
  waiting: <circle cx="8" cy="8" r="6" {...stroke} strokeDasharray="2.2 2.5" />,
  done: (
    // A single path with the tick cut out, because most rows of a list show it.
    <path
      fill="currentColor"
      fillRule="evenodd"
      d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm3.62 5.62-1.24-1.24L7.1 8.98 5.62 7.56 4.4 8.8l2.72 2.64Z"
    />
  ),
  merged: (
    // This shape is two branches that meet, cut out of a disc.
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M5.7 4.4v7.2M5.7 5c.3 2.6 2 3.6 4.6 3.7" {...cut} />
      <circle cx="10.6" cy="8.7" r="1.2" fill="var(--color-surface)" />
    </>
  ),
  failed: (
    <>
      <rect x="2.2" y="2.2" width="11.6" height="11.6" rx="2" fill="currentColor" transform="rotate(45 8 8)" />
      <path d="m6 6 4 4m0-4-4 4" {...cut} />
    </>
  ),
  attention: (
    <>
      <path d="M8 1.5 15 14H1z" fill="currentColor" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      <path d="M8 6v3.5m0 2.3v.1" {...cut} />
    </>
  ),
  idle: <circle cx="8" cy="8" r="6" {...stroke} />,
  archived: <path d="M2 3h12v3H2zM3.2 6v7h9.6V6M6.5 9h3" {...stroke} />,
}

export const toneText: Record<Tone, string> = {
  live: 'text-live',
  waiting: 'text-live',
  done: 'text-done',
  merged: 'text-mark-violet',
  failed: 'text-failed',
  attention: 'text-attention',
  idle: 'text-idle',
  archived: 'text-idle',
}

type StateMarkProps = { tone: Tone; className?: string; still?: boolean }

/** Decorative shape of a state. `still` for past events. */
export const StateMark = ({ tone, className = 'size-4', still = false }: StateMarkProps) => (
  <svg
    viewBox="0 0 16 16"
    aria-hidden="true"
    className={`shrink-0 ${className} ${toneText[tone]} ${tone === 'live' && !still ? 'animate-spin-slow' : ''}`}
  >
    {shapes[tone]}
  </svg>
)

export const StateLabel = ({ tone, children }: { tone: Tone; children: React.ReactNode }) => (
  <span className={`inline-block max-w-full shrink-0 truncate align-bottom font-medium ${toneText[tone]}`}>
    <StateMark tone={tone} className="mr-1.5 inline-block size-4 align-[-3px]" />
    {children}
  </span>
)
