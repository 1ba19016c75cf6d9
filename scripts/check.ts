import { fastSteps, runSteps } from './steps.ts'

process.exit(await runSteps(fastSteps))
