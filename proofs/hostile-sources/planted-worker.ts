import { plant } from '#proofs/harness/plant.ts'
import { faults } from './faults.ts'

// Instead of the export worker: the same one with faults, which no variable can bring into its empty environment.
plant(faults)
await import('#packages/local-admin-api/src/static-exports/export-worker.ts')
