import type { Proof } from './harness/proof.ts'

/** A proof as `pnpm prove` lists it. */
export type ListedProof = {
  name: string
  load: () => Promise<{ proof: Proof }>
  /** Estimated duration on two idle cores. */
  seconds: number
  /** Duration of its short form, which `npm test` plays; null where `npm test` leaves the proof out. */
  quickSeconds: number | null
}

/** Every proof, in the order in which `pnpm prove` plays them. */
export const proofs: readonly ListedProof[] = [
  { name: 'agents', load: () => import('./agents/agents.ts'), seconds: 60, quickSeconds: 8 },
  { name: 'bombs', load: () => import('./bombs/bombs.ts'), seconds: 50, quickSeconds: null },
  {
    name: 'bundle-addresses',
    load: () => import('./bundle-addresses/bundle-addresses.ts'),
    seconds: 60,
    quickSeconds: null,
  },
  { name: 'canaries', load: () => import('./canaries/canaries.ts'), seconds: 60, quickSeconds: null },
  { name: 'crash-table', load: () => import('./crashes/crash-table.ts'), seconds: 180, quickSeconds: 12 },
  { name: 'cross-site', load: () => import('./cross-site/cross-site.ts'), seconds: 40, quickSeconds: null },
  { name: 'database-trouble', load: () => import('./durability/database-trouble.ts'), seconds: 75, quickSeconds: null },
  { name: 'deliveries', load: () => import('./deliveries/deliveries.ts'), seconds: 150, quickSeconds: null },
  { name: 'deploy-files', load: () => import('./deploy-files/deploy-files.ts'), seconds: 5, quickSeconds: null },
  { name: 'deploy-mounts', load: () => import('./deploy-mounts/deploy-mounts.ts'), seconds: 100, quickSeconds: null },
  { name: 'disk-full', load: () => import('./crashes/disk-full.ts'), seconds: 20, quickSeconds: null },
  {
    name: 'forty-prompts',
    load: () => import('./forty-prompts/forty-prompts.ts'),
    seconds: 20,
    quickSeconds: null,
  },
  { name: 'fuzz', load: () => import('./fuzz/fuzz.ts'), seconds: 20, quickSeconds: 7 },
  { name: 'guessing', load: () => import('./guessing.ts'), seconds: 12, quickSeconds: null },
  {
    name: 'host-configuration',
    load: () => import('./host-configuration/host-configuration.ts'),
    seconds: 25,
    quickSeconds: null,
  },
  { name: 'hostile-clicks', load: () => import('./durability/hostile-clicks.ts'), seconds: 60, quickSeconds: null },
  {
    name: 'hostile-hosting',
    load: () => import('./hostile-hosting/hostile-hosting.ts'),
    seconds: 60,
    quickSeconds: null,
  },
  {
    name: 'hostile-origins',
    load: () => import('./hostile-origins/hostile-origins.ts'),
    seconds: 30,
    quickSeconds: null,
  },
  {
    name: 'hostile-previews',
    load: () => import('./hostile-previews/hostile-previews.ts'),
    seconds: 25,
    quickSeconds: 10,
  },
  {
    name: 'hostile-sources',
    load: () => import('./hostile-sources/hostile-sources.ts'),
    seconds: 120,
    quickSeconds: null,
  },
  { name: 'hosting', load: () => import('./hosting/hosting.ts'), seconds: 120, quickSeconds: null },
  { name: 'ids', load: () => import('./ids.ts'), seconds: 3, quickSeconds: 3 },
  { name: 'key-rotation', load: () => import('./key-rotation/key-rotation.ts'), seconds: 20, quickSeconds: 8 },
  { name: 'kill-9', load: () => import('./durability/kill-9.ts'), seconds: 180, quickSeconds: 8 },
  {
    name: 'linear-checks',
    load: () => import('./linear-checks/linear-checks.ts'),
    seconds: 120,
    quickSeconds: null,
  },
  { name: 'links', load: () => import('./links.ts'), seconds: 12, quickSeconds: null },
  { name: 'mdx-language', load: () => import('./mdx-language/mdx-language.ts'), seconds: 30, quickSeconds: 3 },
  {
    name: 'planted-configuration',
    load: () => import('./planted-configuration.ts'),
    seconds: 20,
    quickSeconds: null,
  },
  { name: 'proxies', load: () => import('./proxies/proxies.ts'), seconds: 120, quickSeconds: null },
  { name: 'recovery', load: () => import('./recovery/recovery.ts'), seconds: 240, quickSeconds: null },
  { name: 'release', load: () => import('./release/release.ts'), seconds: 240, quickSeconds: null },
  { name: 'rolling-restart', load: () => import('./durability/rolling-restart.ts'), seconds: 13, quickSeconds: 13 },
  { name: 'rolling-upgrade', load: () => import('./durability/rolling-upgrade.ts'), seconds: 30, quickSeconds: 20 },
  {
    name: 'seeded-repository',
    load: () => import('./seeded-repository/seeded-repository.ts'),
    seconds: 12,
    quickSeconds: null,
  },
  { name: 'setup-race', load: () => import('./setup-race.ts'), seconds: 6, quickSeconds: 6 },
  {
    name: 'several-machines',
    load: () => import('./several-machines/several-machines.ts'),
    seconds: 600,
    quickSeconds: null,
  },
  { name: 'slow-clients', load: () => import('./slow-clients/slow-clients.ts'), seconds: 35, quickSeconds: null },
  { name: 'ssrf', load: () => import('./ssrf.ts'), seconds: 1, quickSeconds: 1 },
  { name: 'storing', load: () => import('./durability/storing.ts'), seconds: 60, quickSeconds: null },
  { name: 'two-replicas', load: () => import('./durability/two-replicas.ts'), seconds: 125, quickSeconds: null },
  { name: 'worker-fleet', load: () => import('./worker-fleet/worker-fleet.ts'), seconds: 600, quickSeconds: null },
]
