import type { DeploymentKind } from '@docket/api-types/connections'

/** Availability of a feature (Admin API §1). `configurable` depends on the environment. */
type Availability = 'available' | 'configurable' | 'unavailable'

/** The availability matrix of Admin API §1, row by row. */
const featureAvailability: readonly {
  feature: string
  note?: string
  in: Record<DeploymentKind, Availability>
}[] = [
  {
    feature: 'Documentation search',
    in: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  },
  { feature: 'AI assistant', in: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
  {
    feature: 'Web analytics',
    in: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  },
  { feature: 'API playground', in: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'configurable' } },
  {
    feature: 'Static export bundle',
    note: 'Needs an Enterprise plan',
    in: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'available' },
  },
]

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

const AvailabilityMark = ({ value }: { value: Availability }) => (
  <span className="flex flex-col items-start gap-1 sm:flex-row sm:items-center sm:gap-2">
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`size-4 shrink-0 ${looks[value].className}`}>
      {looks[value].shape}
    </svg>
    {value}
  </span>
)

/** The column of one kind, for the card of a connection. */
export const AvailabilityList = ({ kind }: { kind: DeploymentKind }) => (
  <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-2 text-sm">
    {featureAvailability.map(({ feature, note, in: availability }) => (
      <div key={feature} className="contents">
        <dt>
          {feature}
          {note && <span className="text-muted"> ({note})</span>}
        </dt>
        <dd>
          <AvailabilityMark value={availability[kind]} />
        </dd>
      </div>
    ))}
  </dl>
)
