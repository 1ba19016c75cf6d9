import { plant, type Fault } from './plant.ts'

plant(JSON.parse(process.env.PLANTED_FAULTS ?? '[]') as Fault[])
