import type { Usage } from '#runners/runner.ts'

/** `message` is the agent's text, and the report if it is the last one. `run` means that the usage covers the whole run so far. */
export type AgentEvent = { text: string; message?: string; usage?: Usage; run?: string }

type Json = Record<string, unknown>

/** Reads an event of Claude Code, Codex or OpenCode. Null for any other line. An empty text is not logged. */
export const parseAgentEvent = (line: string): AgentEvent | null => {
  if (!line.startsWith('{')) return null
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    return null
  }
  if (!isObject(event) || typeof event['type'] !== 'string') return null
  const { type } = event
  if (type === 'result') return readResult(event)
  if (['assistant', 'user', 'system', 'stream_event', 'rate_limit_event', 'tool_progress'].includes(type))
    return { text: type === 'assistant' ? readContent(event) : '', ...readAnswer(event) }
  if (/^(thread|turn|item)\./.test(type)) return readCodex(type, event)
  if (type === 'error') return { text: `Error: ${readErrorText(event)}` }
  if (isObject(event['part'])) return readOpenCode(type, event['part'])
  return null
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const object = (value: unknown): Json => (isObject(value) ? value : {})
const string = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
const addCounts = (...values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

const readErrorText = (event: Json) => {
  const error = object(event['error'])
  return (
    string(event['message']) ||
    string(error['message']) ||
    string(object(error['data'])['message']) ||
    string(error['name']) ||
    'no reason given'
  )
}

/** The last event of Claude Code, with the totals. Its text repeats the last message, which is already in the log. */
const readResult = (event: Json): AgentEvent => {
  const usage = object(event['usage'])
  const text = string(event['result'])
  const failed = event['is_error'] === true && text !== '' ? `Error: ${text}` : ''
  return {
    text: failed,
    ...(text !== '' && { message: text }),
    run: string(event['session_id']),
    usage: {
      inputTokens: addCounts(
        number(usage['input_tokens']),
        number(usage['cache_creation_input_tokens']),
        number(usage['cache_read_input_tokens']),
      ),
      outputTokens: number(usage['output_tokens']),
      costUsd: number(event['total_cost_usd']),
    },
  }
}

const readContent = (event: Json): string => {
  const { content } = object(event['message'])
  if (!Array.isArray(content)) return ''
  const parts = content.map((part: unknown) => {
    const { type, text, name, input } = object(part)
    if (type === 'text') return string(text)
    return type === 'tool_use' ? formatTool(string(name), object(input)) : ''
  })
  return parts.filter((part) => part !== '').join('\n')
}

const readAnswer = (event: Json): { message?: string } => {
  const { content } = object(event['message'])
  if (event['type'] !== 'assistant' || !Array.isArray(content)) return {}
  const texts = content.map((part: unknown) => string(object(part)['text'])).filter((text) => text !== '')
  return texts.length === 0 ? {} : { message: texts.join('\n') }
}

const subjects = ['file_path', 'filePath', 'path', 'command', 'pattern', 'url', 'query', 'description']

const formatTool = (name: string, input: Json) => {
  const subject = subjects.map((key) => string(input[key])).find((text) => text !== '') ?? ''
  return `› ${name}${subject === '' ? '' : ` ${readFirstLine(subject)}`}`
}

const readFirstLine = (text: string) => text.split('\n', 1)[0]!.slice(0, 200)

const readCodex = (type: string, event: Json): AgentEvent => {
  if (type === 'turn.completed') {
    const usage = object(event['usage'])
    const [inputTokens, outputTokens] = [number(usage['input_tokens']), number(usage['output_tokens'])]
    return { text: '', usage: { inputTokens, outputTokens, costUsd: null } }
  }
  if (type === 'turn.failed') return { text: `Error: ${readErrorText(event)}` }
  const item = object(event['item'])
  const kind = string(item['type'])
  if (type === 'item.started')
    return { text: kind === 'command_execution' ? `› ${readFirstLine(string(item['command']))}` : '' }
  if (type !== 'item.completed') return { text: '' }
  const text = string(item['text'])
  if (kind === 'agent_message') return { text, message: text }
  if (kind === 'error') return { text: `Error: ${string(item['message'])}` }
  if (kind === 'mcp_tool_call') return { text: `› ${string(item['tool'])}` }
  if (kind !== 'file_change' || !Array.isArray(item['changes'])) return { text: '' }
  const changes = item['changes'].map((change: unknown) => object(change))
  return { text: changes.map((change) => `› ${string(change['kind'])} ${string(change['path'])}`).join('\n') }
}

const readOpenCode = (type: string, part: Json): AgentEvent => {
  if (type === 'text') return { text: string(part['text']), message: string(part['text']) }
  if (type === 'tool_use') {
    const state = object(part['state'])
    return { text: formatTool(string(part['tool']), object(state['input'])) }
  }
  if (type !== 'step_finish') return { text: '' }
  const tokens = object(part['tokens'])
  const cache = object(tokens['cache'])
  return {
    text: '',
    usage: {
      inputTokens: addCounts(number(tokens['input']), number(cache['read']), number(cache['write'])),
      outputTokens: addCounts(number(tokens['output']), number(tokens['reasoning'])),
      costUsd: number(part['cost']),
    },
  }
}
