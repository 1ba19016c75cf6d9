import { z } from 'zod'

/** Where a reader of a hosted channel goes on. The address works once. */
export const OpenHostedSite = z.object({ hostname: z.string().max(260), path: z.string().max(4000).default('/') })
export type OpenHostedSite = z.input<typeof OpenHostedSite>
export const OpenedHostedSite = z.object({ url: z.string() })
export type OpenedHostedSite = z.infer<typeof OpenedHostedSite>
