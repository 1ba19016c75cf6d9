import { z } from 'zod'

export const HostKind = z.enum(['nginx', 'caddy', 'apache', 's3_cloudfront', 'netlify', 'cloudflare_pages'])
export type HostKind = z.infer<typeof HostKind>

export const HostConfigurationQuery = z.object({
  host: HostKind,
  /** Hostname, such as `docs.example.com`. */
  name: z.string().trim().min(1).max(253),
  /** Folder that the bundle is unpacked to, such as `/srv/docs`. */
  root: z.string().trim().min(1).max(500).default('/srv/docs'),
  /** Path of the site at the host, such as `/handbook/`. By default the one that its links expect. */
  path: z.string().trim().min(1).max(200).optional(),
})
export type HostConfigurationQuery = z.infer<typeof HostConfigurationQuery>

/** Files that make a host serve a bundle as Docket does. */
export const HostConfiguration = z.object({
  path: z.string(),
  files: z.array(z.object({ name: z.string(), text: z.string() })),
})
export type HostConfiguration = z.infer<typeof HostConfiguration>
