import { allSteps, runSteps } from './steps.ts'

process.exit(await runSteps(allSteps))
