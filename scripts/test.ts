import { allLanes, runLanes } from './steps.ts'

process.exit(await runLanes(allLanes))
