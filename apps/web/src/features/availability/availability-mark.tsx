import type { Availability } from './feature-availability.ts'

const looks: Record<Availability, { className: string; shape: React.ReactNode }> = {
  available: { className: 'text-done', shape: <circle cx="8" cy="8" r="6" fill="currentColor" /> },
  configurable: {
    className: 'text-attention',
    shape: (
      <>
        <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
      </>
    ),
  },
  unavailable: {
    className: 'text-idle',
    shape: <path d="m3.5 3.5 9 9m0-9-9 9" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />,
  },
}

/** Shape and word of an availability. */
export const AvailabilityMark = ({ value }: { value: Availability }) => (
  <span className="flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-2">
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`size-4 shrink-0 ${looks[value].className}`}>
      {looks[value].shape}
    </svg>
    {value}
  </span>
)
