import type { Fault } from '#proofs/harness/plant.ts'

/** Makes the layouts count what they do, by `globalThis.countSteps`. */
export const stepCounters: Fault[] = [
  {
    file: 'layouts/release-folders.ts',
    instead: 'export const createReleaseFoldersTarget = (files: LinkedFiles, keep: number): DeliveryTarget => {\n',
    write:
      'export const createReleaseFoldersTarget = (files: LinkedFiles, keep: number): DeliveryTarget => {\n  files = (globalThis as any).countSteps(files)\n',
  },
  {
    file: 'layouts/in-place.ts',
    instead: 'export const createInPlaceTarget = (files: PlainFiles, graceMs: number): DeliveryTarget => {\n',
    write:
      'export const createInPlaceTarget = (files: PlainFiles, graceMs: number): DeliveryTarget => {\n  files = (globalThis as any).countSteps(files)\n',
  },
]
