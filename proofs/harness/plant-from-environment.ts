import { ownFaults, plant } from './plant.ts'

plant(ownFaults())
