declare module 'virtual:about' {
  import type { Release } from './release-notes.ts'

  export const releases: Release[]
  export const packages: { name: string; version: string; licence: string }[]
}
