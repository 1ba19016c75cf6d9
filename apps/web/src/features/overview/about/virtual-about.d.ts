declare module 'virtual:about' {
  import type { Release } from './release-notes.ts'

  /** Releases of the changelog, newest first. */
  export const releases: Release[]
  /** Packages of others in the page and the server, sorted by name. */
  export const packages: { name: string; version: string; licence: string }[]
}
