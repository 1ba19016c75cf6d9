import type { Proof } from './harness/proof.ts'

/** A proof as `pnpm prove` lists it. */
export type ListedProof = {
  name: string
  /** Estimated duration on two idle cores. */
  seconds: number
  /** Part of it that `npm test` plays. */
  inNpmTest?: 'short form' | 'fewer samples'
  load: () => Promise<{ proof: Proof }>
}

/** Every proof, in the order in which `pnpm prove all` plays them. */
export const proofs: readonly ListedProof[] = [
  { name: 'access', seconds: 90, inNpmTest: 'fewer samples', load: () => import('./access.ts') },
  { name: 'agents', seconds: 60, load: () => import('./agents/agents.ts') },
  { name: 'agree', seconds: 300, inNpmTest: 'fewer samples', load: () => import('./agree.ts') },
  { name: 'bombs', seconds: 50, load: () => import('./bombs/bombs.ts') },
  { name: 'browser', seconds: 300, load: () => import('./browser.ts') },
  { name: 'built-pictures', seconds: 300, load: () => import('./built-sites/built-pictures.ts') },
  { name: 'built-sites', seconds: 600, load: () => import('./built-sites/built-sites.ts') },
  { name: 'bundle-addresses', seconds: 60, load: () => import('./bundle-addresses/bundle-addresses.ts') },
  { name: 'canaries', seconds: 60, load: () => import('./canaries/canaries.ts') },
  { name: 'connect-only', seconds: 40, load: () => import('./connect-only/connect-only.ts') },
  { name: 'crash-table', seconds: 180, inNpmTest: 'short form', load: () => import('./crashes/crash-table.ts') },
  { name: 'cross-site', seconds: 40, load: () => import('./cross-site/cross-site.ts') },
  { name: 'database-trouble', seconds: 75, load: () => import('./durability/database-trouble.ts') },
  { name: 'deliveries', seconds: 150, load: () => import('./deliveries/deliveries.ts') },
  { name: 'deploy-files', seconds: 5, load: () => import('./deploy-files/deploy-files.ts') },
  { name: 'deploy-mounts', seconds: 100, load: () => import('./deploy-mounts/deploy-mounts.ts') },
  { name: 'disk-full', seconds: 20, load: () => import('./crashes/disk-full.ts') },
  { name: 'failover', seconds: 50, load: () => import('./durability/failover.ts') },
  { name: 'forty-prompts', seconds: 20, load: () => import('./forty-prompts/forty-prompts.ts') },
  { name: 'fuzz', seconds: 20, inNpmTest: 'fewer samples', load: () => import('./fuzz.ts') },
  { name: 'guessing', seconds: 12, load: () => import('./guessing.ts') },
  { name: 'host-configuration', seconds: 25, load: () => import('./host-configuration/host-configuration.ts') },
  { name: 'hostile-clicks', seconds: 60, load: () => import('./durability/hostile-clicks.ts') },
  { name: 'hostile-hosting', seconds: 60, load: () => import('./hostile-hosting/hostile-hosting.ts') },
  { name: 'hostile-origins', seconds: 30, load: () => import('./hostile-origins/hostile-origins.ts') },
  { name: 'hostile-previews', seconds: 25, load: () => import('./hostile-previews/hostile-previews.ts') },
  { name: 'hostile-sources', seconds: 120, load: () => import('./hostile-sources/hostile-sources.ts') },
  { name: 'hosting', seconds: 120, load: () => import('./hosting/hosting.ts') },
  { name: 'ids', seconds: 3, inNpmTest: 'fewer samples', load: () => import('./ids.ts') },
  { name: 'key-rotation', seconds: 20, load: () => import('./key-rotation/key-rotation.ts') },
  { name: 'kill-9', seconds: 180, inNpmTest: 'short form', load: () => import('./durability/kill-9.ts') },
  { name: 'linear-checks', seconds: 120, load: () => import('./linear-checks/linear-checks.ts') },
  { name: 'links', seconds: 12, load: () => import('./links.ts') },
  { name: 'mdx-language', seconds: 30, inNpmTest: 'fewer samples', load: () => import('./mdx-language.ts') },
  { name: 'planted-configuration', seconds: 20, load: () => import('./planted-configuration.ts') },
  { name: 'processes', seconds: 300, load: () => import('./processes.ts') },
  { name: 'proxies', seconds: 120, load: () => import('./proxies/proxies.ts') },
  { name: 'recovery', seconds: 240, load: () => import('./recovery/recovery.ts') },
  { name: 'release', seconds: 240, load: () => import('./release/release.ts') },
  { name: 'replicas', seconds: 300, inNpmTest: 'fewer samples', load: () => import('./replicas.ts') },
  { name: 'rolling-restart', seconds: 13, load: () => import('./durability/rolling-restart.ts') },
  {
    name: 'rolling-upgrade',
    seconds: 30,
    inNpmTest: 'short form',
    load: () => import('./durability/rolling-upgrade.ts'),
  },
  { name: 'seeded-repository', seconds: 12, load: () => import('./seeded-repository/seeded-repository.ts') },
  { name: 'setup-race', seconds: 6, inNpmTest: 'fewer samples', load: () => import('./setup-race.ts') },
  { name: 'several-machines', seconds: 600, load: () => import('./several-machines/several-machines.ts') },
  { name: 'slow-clients', seconds: 35, load: () => import('./slow-clients/slow-clients.ts') },
  { name: 'ssrf', seconds: 1, load: () => import('./ssrf.ts') },
  { name: 'storing', seconds: 60, load: () => import('./durability/storing.ts') },
  { name: 'two-replicas', seconds: 125, load: () => import('./durability/two-replicas.ts') },
  { name: 'worker-fleet', seconds: 600, load: () => import('./worker-fleet/worker-fleet.ts') },
]
