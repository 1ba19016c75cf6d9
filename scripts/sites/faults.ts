/** Kinds of faults in an exported site, with their meaning for readers. */
export const faultKinds = {
  link: 'links that lead to no file of the site',
  fragment: 'links to a part of a page that is not there',
  load: 'images, styles, scripts or media that are not in the site',
  'root-absolute': 'addresses that begin with / and break below a path or on a disk',
  'third-party': 'something that is loaded from another host',
  scheme: 'addresses that run something or read a disk',
  frame: 'pages without their style sheet, script, policy, language or title',
  inline: "scripts, styles or handlers that the page's own policy refuses",
  heading: 'pages without exactly one main heading, or with one that is said twice',
  structure: 'places where the HTML is not well-formed, so that browsers repair it as they like',
  id: 'ids that occur twice on a page',
  source: 'texts that show the notation of their source',
  start: 'a site that opens with the wrong page',
  navigation: 'pages of the navigation that are not there, or that no link leads to',
  hidden: 'words of hidden pages in the search',
  unstable: 'files that a second export of the same source writes differently',
  sitemap: 'entries of the sitemap without a page, and pages without an entry',
  search: 'entries of the search index without a page, and searches that find or open nothing',
  request: 'requests that fail',
  console: 'errors in the console',
  content: 'pages that show no content',
  style: 'pages without the look of their style sheet',
  width: 'pages that scroll sideways on a narrow screen',
  accessibility: 'violations of WCAG 2.2 AA that can be found automatically',
} as const

/** One kind of fault. */
export type FaultKind = keyof typeof faultKinds

/** One fault: where, of what kind, and the address or text at fault. */
export type Fault = { page: string; kind: FaultKind; what: string }
