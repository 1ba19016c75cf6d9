import { normalPath } from '@docket/site-exporter/site/page-paths'
import { z } from 'zod'

/** What is in the body of a start (Admin API §4.2), with what a public service adds. */
const Body = z.object({
  domain: z.string().min(1).max(253),
  version: z.string().min(1).max(200).nullish(),
  paths: z.array(z.string().min(1).max(1000)).min(1).max(500).nullish(),
})

/** A start as it is understood. The domain is in lower case. */
export type StartRequest = { domain: string; version: string | null; paths: string[] | null }

const isHostname = (text: string) => /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i.test(text)

/** Reads the body of a start; a sentence when it cannot be one. */
export const readStartRequest = (body: unknown): StartRequest | { problem: string } => {
  const parsed = Body.safeParse(body)
  if (!parsed.success) return { problem: explain(parsed.error) }
  const { domain, version = null, paths = null } = parsed.data
  if (!isHostname(domain)) return { problem: 'domain must be a hostname: no scheme, port, path or trailing slash' }
  const twice = paths?.find((path, at) => paths.findIndex((other) => normalPath(other) === normalPath(path)) < at)
  if (twice !== undefined) return { problem: `paths names the page ${twice} twice` }
  return { domain: domain.toLowerCase(), version, paths }
}

const explain = (error: z.ZodError) => {
  const [issue] = error.issues
  if (!issue || issue.path.length === 0) return 'The body must be a JSON object with the field domain'
  return `${issue.path.join('.')}: ${issue.message}`
}
