import type { PageDescription } from '#manifest.ts'

/** A page that nobody read: its text has no hash. */
export const emptyDescription: PageDescription = {
  title: '',
  language: '',
  headings: [],
  words: 0,
  textHash: '',
  signature: '',
  links: [],
  shows: [],
  shared: { navigation: null, header: null, footer: null, theme: null },
}
