import { plant } from '#proofs/harness/plant.ts'
import { fault } from './fault.ts'

// Instead of the export worker: the same one with the fault, which no variable can bring into its empty environment.
plant([fault])
await import('#packages/local-admin-api/src/static-exports/export-worker.ts')
