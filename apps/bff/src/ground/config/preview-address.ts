import { isIP } from 'node:net'
import { z } from 'zod'
import { findBlockedPort, hostName, reportMistake } from './values.ts'

/** Scheme of the hosts of previews or hosted sites, and the host, perhaps with a port, below which each has a name. */
export type PreviewAddress = { scheme: 'http:' | 'https:'; parent: string }

/** A wildcard origin. Plain http only for names under localhost. */
export const previewAddress = z
  .string()
  .trim()
  .transform((value, ctx): PreviewAddress => {
    const [, scheme = '', name = '', port = ''] =
      /^(https?:)\/\/\*\.([a-z0-9.-]+)(:[1-9]\d{0,4})?\/?$/.exec(value.toLowerCase()) ?? []
    const url = URL.parse(`${scheme}//${name}${port}`)
    if (url === null || !hostName.test(name) || isIP(url.hostname) !== 0)
      return reportMistake(ctx, 'must be a wildcard address, such as https://*.docs.example')
    const blocked = findBlockedPort(url.port)
    if (blocked !== undefined) return reportMistake(ctx, blocked)
    if (scheme === 'http:' && !/(^|\.)localhost$/.test(name)) return reportMistake(ctx, 'must begin with https://')
    return { scheme: scheme === 'http:' ? 'http:' : 'https:', parent: url.host }
  })
