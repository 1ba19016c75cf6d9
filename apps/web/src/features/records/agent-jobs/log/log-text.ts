import type { AgentJobLog } from '@docket/api-types/agent-jobs'

/** The end of the log that was read so far. `isCut`: its beginning is missing. */
export type LogText = Pick<AgentJobLog, 'text' | 'nextOffset' | 'isCut' | 'ended'>

const maxLength = 200_000
const maxLines = 2_000

// oxlint-disable-next-line no-control-regex -- colours and cursor moves of a terminal are exactly what is removed
const escapes = /\u001b(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/gu
// oxlint-disable-next-line no-control-regex -- the same; line ends and tabs stay
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu

/** Text as a terminal would show it: without colours, and overwritten lines in their last form. */
export const cleanLog = (text: string): string =>
  text
    .replaceAll(escapes, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r(?=[^\n])/gmu, '')
    .replaceAll(controls, '')

/** Last 2,000 lines of a text, at most 200,000 characters. */
const keepLogEnd = (text: string): string => {
  const end = text.length > maxLength ? text.slice(-maxLength).replace(/^[^\n]*\n/u, '') : text
  let start = end.length
  for (let line = 0; line <= maxLines && start > 0; line += 1) start = end.lastIndexOf('\n', start - 1)
  return start > 0 ? end.slice(start + 1) : end
}

export const appendLog = (before: LogText | undefined, part: AgentJobLog, offset: number): LogText => {
  const follows = before !== undefined && offset === before.nextOffset && part.nextOffset >= offset
  const text = follows ? before.text + part.text : part.text
  const end = keepLogEnd(text)
  return {
    text: end,
    nextOffset: part.nextOffset,
    isCut: part.isCut || (follows && before.isCut) || end.length < text.length,
    ended: part.ended,
  }
}
