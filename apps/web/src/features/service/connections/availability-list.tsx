import type { DeploymentKind } from '@docket/api-types/connections'
import { StateLabel } from '#ui/marks/state-mark.tsx'

const tones = { available: 'done', configurable: 'attention', unavailable: 'idle' } as const

/** Availability by kind of deployment (Admin API §1). `configurable` depends on the environment. */
const features: readonly ({ name: string } & Record<DeploymentKind, keyof typeof tones>)[] = [
  { name: 'Documentation search', cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  { name: 'AI assistant', cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  { name: 'Web analytics', cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  { name: 'API playground', cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'configurable' },
  {
    name: 'Static export bundle (needs an Enterprise plan)',
    cloud: 'available',
    'client-hosted': 'available',
    'air-gapped': 'available',
  },
]

export const AvailabilityList = ({ kind }: { kind: DeploymentKind }) => (
  <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-2 text-sm">
    {features.map(({ name, [kind]: value }) => (
      <div key={name} className="contents">
        <dt>{name}</dt>
        <dd>
          <StateLabel tone={tones[value]}>{value}</StateLabel>
        </dd>
      </div>
    ))}
  </dl>
)
