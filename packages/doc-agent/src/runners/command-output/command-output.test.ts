import { expect, test } from 'vitest'
import { createCommandOutput } from './command-output.ts'

/** Readable text, report and usage of an output that arrives in pieces of `size` bytes. */
const read = (output: string, { secrets = [] as string[], size = 7 } = {}) => {
  let text = ''
  const parts = createCommandOutput({ secrets, onText: (piece) => (text += piece), onUsage: () => {} })
  const bytes = Buffer.from(output)
  for (let start = 0; start < bytes.length; start += size) parts.add(bytes.subarray(start, start + size), 'stdout')
  parts.end()
  return { text, report: parts.report(), usage: parts.usage() }
}

const lines = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')

test('JSON from Claude Code is shown as text and tool calls, with the totals of each run', () => {
  const assistant = (content: object[]) => ({
    type: 'assistant',
    message: { content, usage: { input_tokens: 9 } },
    session_id: 'a',
  })
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.\nOne page.',
    session_id: 'a',
    total_cost_usd: 0.25,
    usage: { input_tokens: 4, cache_creation_input_tokens: 1000, cache_read_input_tokens: 200, output_tokens: 70 },
  }
  const output = lines(
    { type: 'system', subtype: 'init', tools: ['Read'] },
    assistant([
      { type: 'text', text: 'I look at the page.' },
      { type: 'tool_use', name: 'Read', input: { file_path: '/work/page.md' } },
    ]),
    { type: 'user', message: { content: [{ type: 'tool_result', content: 'the whole page' }] } },
    assistant([{ type: 'text', text: 'Done.\nOne page.' }]),
    result,
    { ...result, session_id: 'b', total_cost_usd: 0.5 },
  )
  expect(read(output)).toEqual({
    text: 'I look at the page.\n› Read /work/page.md\nDone.\nOne page.\n',
    report: ['Done.', 'One page.'],
    usage: { inputTokens: 2408, outputTokens: 140, costUsd: 0.75 },
  })
  expect(read(lines(result)).text).toBe('Done.\nOne page.\n')
  expect(read(lines({ ...result, is_error: true, result: 'Invalid API key' })).text).toBe('Error: Invalid API key\n')
})

test('JSON from Codex is shown as text, commands and files, with its token counts', () => {
  const output = lines(
    { type: 'thread.started', thread_id: 't' },
    { type: 'item.started', item: { type: 'command_execution', command: 'bash -lc ls', status: 'in_progress' } },
    { type: 'item.completed', item: { type: 'command_execution', command: 'bash -lc ls', aggregated_output: 'a lot' } },
    { type: 'item.completed', item: { type: 'file_change', changes: [{ path: 'page.md', kind: 'update' }] } },
    { type: 'item.completed', item: { type: 'agent_message', text: 'Shortened.' } },
    { type: 'turn.completed', usage: { input_tokens: 30, cached_input_tokens: 20, output_tokens: 8 } },
  )
  expect(read(output)).toEqual({
    text: '› bash -lc ls\n› update page.md\nShortened.\n',
    report: ['Shortened.'],
    usage: { inputTokens: 30, outputTokens: 8, costUsd: null },
  })
  expect(read(lines({ type: 'turn.failed', error: { message: 'no quota' } })).text).toBe('Error: no quota\n')
})

test('JSON from OpenCode is shown as text and tool calls, with the cost of all steps', () => {
  const finish = {
    type: 'step_finish',
    part: {
      type: 'step-finish',
      cost: 0.1,
      tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
    },
  }
  const output = lines(
    { type: 'step_start', part: { type: 'step-start' } },
    {
      type: 'tool_use',
      part: { type: 'tool', tool: 'edit', state: { status: 'completed', input: { filePath: 'page.md' } } },
    },
    finish,
    { type: 'text', part: { type: 'text', text: 'Shortened.' } },
    finish,
  )
  expect(read(output)).toEqual({
    text: '› edit page.md\nShortened.\n',
    report: ['Shortened.'],
    usage: { inputTokens: 30, outputTokens: 6, costUsd: 0.2 },
  })
  expect(read(lines({ type: 'error', error: { name: 'APIError', data: { message: 'no key' } } })).text).toBe(
    'Error: no key\n',
  )
})

test('other output, including unknown JSON, stays as it is, and invalid numbers are not counted', () => {
  const output = `{"type":"note"}\n{"a":1}\n[1]\n{broken\n${lines({ type: 'result', result: 7, usage: { input_tokens: -1 }, total_cost_usd: 'free' })}`
  expect(read(output)).toEqual({
    text: '{"type":"note"}\n{"a":1}\n[1]\n{broken\n',
    report: ['{"type":"note"}', '{"a":1}', '[1]', '{broken'],
    usage: { inputTokens: null, outputTokens: null, costUsd: null },
  })
})

test('a secret is hidden however it is encoded or split, and colours and rewritten lines are removed', () => {
  const secret = 'p"ss wörd/ü'
  const output = `a ${secret}\nb ${encodeURIComponent(secret)}\n{"c": ${JSON.stringify(secret)}}\np"ss\u001b[1m wörd/ü\n10 %\r50 %\r100 %\r\n\u202eend\n`
  for (const size of [1, 3, 7, 1000])
    expect(read(output, { secrets: [secret], size }).text).toBe('a …\nb …\n{"c": "…"}\n…\n100 %\nend\n')
})

test('a report has at most forty lines, and endless output is cut', () => {
  const { report, text } = read(Array.from({ length: 200_000 }, (_, line) => `line ${line}\n`).join(''), {
    size: 65_536,
  })
  expect([report.length, report[0], report.at(-1)]).toEqual([41, '…', 'line 199999'])
  expect(text.length).toBeLessThan(70_000)
  expect(read('x'.repeat(10_000)).text.length).toBe(2002)
})
