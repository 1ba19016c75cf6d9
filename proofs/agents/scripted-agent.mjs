#!/usr/bin/env node
// An agent program in a few lines: asks the model through the sandbox's proxy, runs the command it wants, and says what
// it says, as Claude Code does with `--output-format stream-json`.
import { execSync } from 'node:child_process'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

const { ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: key, HTTP_PROXY: proxy } = process.env

const ask = async (messages) => {
  const { hostname, port } = new URL(proxy)
  const response = await new Promise((resolve, reject) => {
    const asked = request({
      hostname,
      port,
      method: 'POST',
      path: `${base}/v1/messages`,
      headers: { 'x-api-key': key },
    })
    asked.on('response', resolve).on('error', reject)
    asked.end(JSON.stringify({ model: 'scripted', tools: [{ name: 'Bash' }], messages }))
  })
  const events = [...(await text(response)).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data))
  const { partial_json: input, text: sentence } = events.find(({ delta }) => delta?.type?.endsWith('_delta')).delta
  return input === undefined ? { sentence } : { command: JSON.parse(input).command }
}

const prompt = { role: 'user', content: await text(process.stdin) }
const { command } = await ask([prompt])
execSync(command)
const { sentence } = await ask([prompt, { role: 'user', content: [{ type: 'tool_result', content: 'Done' }] }])
const usage = { input_tokens: 2400, output_tokens: 80 }
console.log(JSON.stringify({ type: 'result', subtype: 'success', result: sentence, total_cost_usd: 0.01, usage }))
