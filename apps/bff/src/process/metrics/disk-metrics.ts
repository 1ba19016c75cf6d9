import type { DiskReport } from '@docket/api-types/disks'
import { Gauge, type Registry } from 'prom-client'

/** Gauges of the free space of volumes, as of the last look. */
export const diskMetrics = (registry: Registry, list: () => DiskReport['volumes']): void => {
  const gauge = (name: string, help: string, pick: (volume: DiskReport['volumes'][number]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['volume'],
      registers: [registry],
      collect() {
        // A volume that no longer answers must not look current.
        this.reset()
        for (const one of list()) this.set({ volume: one.volume }, pick(one))
      },
    })
  gauge('docket_disk_free_bytes', 'Free bytes of a volume that Docket writes to.', ({ freeBytes }) => freeBytes)
  gauge('docket_disk_total_bytes', 'Bytes of that volume that Docket could use.', ({ totalBytes }) => totalBytes)
}
