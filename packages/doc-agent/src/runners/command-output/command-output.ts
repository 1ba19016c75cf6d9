import { StringDecoder } from 'node:string_decoder'
import type { Usage } from '#runners/runner.ts'
import { keepLastLines, toReadable } from '@docket/sandbox/bounded-output'
import { parseAgentEvent } from './agent-events.ts'
import { hideSecrets, listSecrets } from './hide-secrets.ts'

const pauseMs = 250
const limits = { line: 2000, pending: 64 * 1024, all: 4 * 1024 * 1024 }
const reportLimits = { lines: 40, characters: 8000 }

/** `isTotal` is true when the command reported the end of its run. */
export type UsageSoFar = Usage & { isTotal: boolean }

/** Passes on readable text without the `secrets`, at most four times a second. Keeps the last lines and the usage. */
export const createCommandOutput = (order: {
  secrets: readonly string[]
  onText(text: string): void
  onUsage(usage: UsageSoFar): void
}) => {
  const secrets = listSecrets(order.secrets)
  const lastLines: string[] = []
  let lastMessage: string | null = null
  let steps: Usage | null = null
  const runs = new Map<string, Usage>()
  let pending = ''
  let passed = 0
  let timer: NodeJS.Timeout | null = null

  const clean = (line: string) => {
    // Control characters may split a secret or be part of it.
    const text = hideSecrets(toReadable(hideSecrets(line, secrets)), secrets)
    return text.length > limits.line ? `${text.slice(0, limits.line)}…` : text
  }
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const text = pending
    pending = ''
    if (text === '' || passed > limits.all) return
    passed += text.length
    order.onText(passed > limits.all ? `${text}…\nThe rest of the output is not kept.\n` : text)
  }
  const show = (text: string) => {
    for (const line of text.split('\n').map(clean)) {
      if (line === '') continue
      lastLines.push(line)
      if (lastLines.length > reportLimits.lines + 1) lastLines.shift()
      pending += `${line}\n`
    }
    // Drops the middle when the output is longer than anybody could read.
    if (pending.length > limits.pending) pending = `…\n${pending.slice(-limits.pending / 2)}`
    timer ??= setTimeout(flush, pauseMs)
  }
  const usage = () => [...runs.values()].reduce<Usage | null>(addUsage, steps)
  const onLine = (line: string) => {
    const event = parseAgentEvent(line.trim())
    if (event === null) return show(line)
    // The result is not in the log yet when a command prints nothing else.
    const isNew = event.run !== undefined && event.message?.trim() !== lastMessage?.trim()
    if (event.text !== '') show(event.text)
    else if (isNew && event.message !== undefined) show(event.message)
    if (event.message !== undefined && event.message.trim() !== '') lastMessage = event.message
    if (event.usage === undefined) return
    if (event.run === undefined) steps = addUsage(steps, event.usage)
    else runs.set(event.run, event.usage)
    order.onUsage({ ...usage()!, isTotal: event.run !== undefined })
  }
  const [stdout, stderr] = [createLineSplitter(onLine), createLineSplitter(show)]
  return {
    add: (chunk: Buffer, from: 'stdout' | 'stderr' | 'network') => {
      if (from === 'network') show(chunk.toString())
      else (from === 'stdout' ? stdout : stderr).add(chunk)
    },
    end: () => {
      stdout.end()
      stderr.end()
      flush()
    },
    lines: () => keepLastLines(lastLines, reportLimits),
    report: () => {
      const message = lastMessage?.trim().split('\n').map(clean)
      return keepLastLines(message ?? lastLines, reportLimits)
    },
    usage,
  }
}

const addUsage = (before: Usage | null, more: Usage): Usage => {
  const sum = (a: number | null, b: number | null) => (a === null ? b : a + (b ?? 0))
  return {
    inputTokens: sum(before?.inputTokens ?? null, more.inputTokens),
    outputTokens: sum(before?.outputTokens ?? null, more.outputTokens),
    costUsd: sum(before?.costUsd ?? null, more.costUsd),
  }
}

/** Maximum length of a line; the rest of it is left out. Characters. */
const maxLine = 4 * 1024 * 1024

/** Splits a stream of bytes into whole lines, so that no event or secret is read in parts. */
const createLineSplitter = (onLine: (line: string) => void) => {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let length = 0
  const flush = () => {
    const line = pieces.join('')
    pieces = []
    length = 0
    onLine(line)
  }
  const add = (text: string) => {
    const lines = text.split('\n')
    for (const [index, part] of lines.entries()) {
      if (length < maxLine) pieces.push(part)
      length += part.length
      if (index < lines.length - 1) flush()
    }
  }
  return {
    add: (chunk: Buffer) => add(decoder.write(chunk)),
    end: () => {
      add(decoder.end())
      if (length > 0) flush()
    },
  }
}
