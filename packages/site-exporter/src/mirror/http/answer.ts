/** One answer of a site, whole and decoded. */
export type Answer = {
  /** Address that gave it, after redirects. */
  url: string
  /** Addresses that redirected, the first one asked for. */
  redirectedFrom: string[]
  status: number
  /** Media type in lower case without parameters; empty when none is said. */
  type: string
  charset: string | null
  body: Buffer
}

/**
 * Why there is no answer that can be used. `gone` when the site did not answer at all; `elsewhere` holds the address of another
 * origin that a redirect leads to.
 */
export type NoAnswer = { problem: string; gone?: boolean; elsewhere?: string }

/** Whether there is an answer. */
export const isAnswer = (result: Answer | NoAnswer): result is Answer => 'body' in result

/** The text of an answer, by its mark, its charset, or what it says of itself; UTF-8 otherwise. Never throws. */
export const decodeText = ({ body, charset }: Pick<Answer, 'body' | 'charset'>): string => {
  const head = body.subarray(0, 1_024).toString('latin1')
  const declared =
    charset ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]*encoding=["']([\w-]+)/.exec(head)?.[1]
  const marked =
    body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : declared
  return createDecoder(marked ?? 'utf-8').decode(body)
}

const createDecoder = (label: string) => {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
