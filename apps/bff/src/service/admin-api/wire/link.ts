// oxlint-disable-next-line no-control-regex -- a request line can't have them
const controls = /[\u0000-\u001f\u007f]/
const authority = /^https?:\/\/[^/?#\\]+/i

/** Null when it is no http address. */
const resolveLink = (link: string, address: string): string | null => {
  if (authority.test(link)) return link
  const url = URL.parse(link, address)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

/**
 * A link as another machine wrote it, in an answer from `address`: a signature may cover each of its characters. Percent-encodes only what
 * a request can't carry. Null when it is no http address. Control characters stay, for `isSendable`.
 */
export const readLink = (text: string, address: string): string | null => {
  const link = resolveLink(text.replace(/^ +| +$/g, ''), address)
  const [host = ''] = authority.exec(link ?? '') ?? []
  if (link === null || !isSendable(link)) return link
  return (
    host +
    link
      .slice(host.length)
      .toWellFormed()
      .replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  )
}

/** False for a link with a character that would end the line of a request. */
export const isSendable = (link: string): boolean => !controls.test(link)

/** The path and query of a link, character for character. */
export const readTarget = (link: string): string => {
  const [target = ''] = link.replace(authority, '').split('#', 1)
  return target.startsWith('/') ? target : `/${target}`
}
