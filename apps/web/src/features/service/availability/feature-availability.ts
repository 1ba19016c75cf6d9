import type { DeploymentKind } from '@docket/api-types/connections'

/** Availability of a feature (Admin API §1). `configurable` depends on the environment. */
export type Availability = 'available' | 'configurable' | 'unavailable'

/** Deployment kinds in the order of the contract. */
export const deploymentKinds: readonly { kind: DeploymentKind; name: string }[] = [
  { kind: 'cloud', name: 'Cloud' },
  { kind: 'client-hosted', name: 'Client-hosted' },
  { kind: 'air-gapped', name: 'Air-gapped' },
]

/** The availability matrix of Admin API §1, row by row. */
export const featureAvailability: readonly {
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
