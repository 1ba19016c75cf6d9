import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Key that the model server accepts; nothing else may see it. */
export const modelKey = 'sk-fake-model-key-0123456789abcdef'

/** What the model wants done: one shell command, then a closing sentence. */
export type Script = { command: string; sentence: string }

type Json = Record<string, unknown>

const readJson = async (request: IncomingMessage): Promise<Json> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** First tool of a request that runs a shell command, with the arguments it takes. */
const findShell = (tools: readonly Json[], command: string): { name: string; input: Json } => {
  const names = tools.map((tool) => String(tool.name ?? (tool.function as Json | undefined)?.name))
  const known: Record<string, Json> = {
    Bash: { command, description: 'Write the page' },
    bash: { command, description: 'Write the page' },
    exec_command: { cmd: command },
    shell_command: { command },
    shell: { command: ['sh', '-c', command] },
  }
  const name = Object.keys(known).find((candidate) => names.includes(candidate))
  if (name === undefined) throw new Error(`The agent offers no shell: ${names.join(', ')}`)
  return { name, input: known[name]! }
}

const beginStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })

/** Anthropic's Messages API, streamed. */
const answerMessages = (body: Json, { command, sentence }: Script, response: ServerResponse) => {
  const tools = list(body.tools)
  const done = JSON.stringify(body.messages).includes('"tool_result"') || tools.length === 0
  const event = (type: string, data: Json) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  beginStream(response)
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1200, output_tokens: 1 },
    },
  })
  if (done) {
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: sentence } })
  } else {
    const { name, input } = findShell(tools, command)
    event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} } })
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) } })
  }
  event('content_block_stop', { index: 0 })
  event('message_delta', {
    delta: { stop_reason: done ? 'end_turn' : 'tool_use', stop_sequence: null },
    usage: { output_tokens: 40 },
  })
  event('message_stop', {})
  response.end()
}

/** OpenAI's Responses API, streamed. */
const answerResponses = (body: Json, { command, sentence }: Script, response: ServerResponse) => {
  const done = JSON.stringify(body.input).includes('function_call_output') || list(body.tools).length === 0
  const event = (type: string, data: Json) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  beginStream(response)
  event('response.created', { response: { id: 'resp_1', object: 'response', status: 'in_progress' } })
  const shell = done ? null : findShell(list(body.tools), command)
  const item = shell
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: shell.name, arguments: JSON.stringify(shell.input) }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text: sentence, annotations: [] }],
      }
  event('response.output_item.added', { output_index: 0, item })
  event('response.output_item.done', { output_index: 0, item })
  event('response.completed', {
    response: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [item],
      usage: {
        input_tokens: 1200,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 1240,
      },
    },
  })
  response.end()
}

/** OpenAI's Chat Completions API, streamed. */
const answerChat = (body: Json, { command, sentence }: Script, response: ServerResponse) => {
  const tools = list(body.tools)
  const done = list(body.messages).some(({ role }) => role === 'tool') || tools.length === 0
  const chunk = (delta: Json, finish: string | null, usage: Json | null = null) =>
    response.write(
      `data: ${JSON.stringify({
        id: 'chat_1',
        object: 'chat.completion.chunk',
        created: 0,
        model: body.model,
        choices: [{ index: 0, delta, finish_reason: finish }],
        usage,
      })}\n\n`,
    )
  beginStream(response)
  if (done) chunk({ role: 'assistant', content: sentence }, null)
  else {
    const { name, input } = findShell(tools, command)
    const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }
    chunk({ role: 'assistant', tool_calls: [call] }, null)
  }
  chunk({}, done ? 'stop' : 'tool_calls', { prompt_tokens: 1200, completion_tokens: 40, total_tokens: 1240 })
  response.end('data: [DONE]\n\n')
}

/** A model server on loopback that plays `script` for every conversation, in the three protocols that agent programs speak. */
export const startFakeModel = async (script: Script) => {
  const asked: { path: string; key: string | undefined; body: Json }[] = []
  const answers: Record<string, (body: Json, script: Script, response: ServerResponse) => void> = {
    '/v1/messages': answerMessages,
    '/v1/responses': answerResponses,
    '/v1/chat/completions': answerChat,
  }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    void readJson(request).then((body) => {
      const key = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '')
      asked.push({ path, key: String(key), body })
      const answer = request.method === 'POST' ? answers[path] : undefined
      if (!answer || key !== modelKey) {
        response.writeHead(key === modelKey ? 404 : 401, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: 'No such page' } }))
        return
      }
      answer(body, script, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
