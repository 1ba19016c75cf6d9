import { readInput, listen } from './listen.ts'

// The least a Node server can do: the same bytes for everyone at each path, without a look at the request beyond its
// path.
const { answers } = readInput<{ answers: Record<string, { type: string; text: string }> }>()
const ready = new Map(
  Object.entries(answers).map(([path, { type, text }]) => [path, { type, bytes: Buffer.from(text) }]),
)

listen((request, response) => {
  const answer = ready.get(new URL(request.url ?? '', 'http://bench').pathname)
  if (answer === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': answer.type, 'content-length': answer.bytes.length }).end(answer.bytes)
})
