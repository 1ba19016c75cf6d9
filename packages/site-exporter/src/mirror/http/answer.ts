/** Complete, decoded response of a site. */
export type Answer = {
  /** Final address, after redirects. */
  url: string
  redirectedFrom: string[]
  status: number
  /** Lower-cased media type without parameters; `''` if the header is missing. */
  type: string
  charset: string | null
  body: Buffer
}

/** Reason for a missing response. `gone`: no response at all. `elsewhere`: redirect to this other origin. */
export type NoAnswer = { problem: string; gone?: boolean; elsewhere?: string }

/** True when a response arrived. */
export const isAnswer = (result: Answer | NoAnswer): result is Answer => 'body' in result

/** Decodes a body by byte order mark, header or declaration; UTF-8 otherwise. Never throws. */
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
