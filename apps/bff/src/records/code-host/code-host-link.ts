import { isLoopbackHost } from '@docket/outbound/addresses'
import type { UpstreamLink } from '@docket/api-types/list'

// Earlier versions had these pages at `/docket/…` on the port of the embedded service.
const page = /^\/(?:docket|code)\/([^/]+)(\/pulls\/(\d{1,9})|\/commits\/[0-9a-f]{40})?\/?$/

/**
 * Converts an address that the embedded service sent for the repository of a project into the page of Docket that shows it, so links stay
 * valid when Docket's address changes. Null for any other address. `projectIds` are the projects in the code host, if it runs in this
 * process.
 */
export const codeHostLinks =
  ({ publicUrl, projectIds }: { publicUrl: URL | null; projectIds: readonly string[] }) =>
  (text: string, projectId: string): UpstreamLink | null => {
    const url = URL.parse(text)
    const [, project, rest = '', number] = page.exec(url?.pathname ?? '') ?? []
    if (url === null || !/^https?:$/.test(url.protocol) || project !== encodeURIComponent(projectId)) return null
    const isLocal = url.protocol === 'http:' && isLoopbackHost(url.hostname)
    if (!isLocal && !projectIds.includes(projectId)) return null
    const href = `/code/${project}${rest}`
    const address = publicUrl === null ? href : new URL(href, publicUrl).href
    return {
      text: address,
      href,
      host: null,
      label: number === undefined ? projectId : `${projectId}#${number}`,
    }
  }
