import { indented, quoted } from './quoting.ts'
import type { SampleRequest } from './request.ts'

/** Writes a request with the library `requests`. */
export const formatPython = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type = body !== null && (body.kind === 'text' || body.kind === 'file') ? body.mediaType : null
  const all = [...headers, ...(type === null ? [] : [['Content-Type', type] as const])]
  const [name, ...password] = user?.split(':') ?? []
  const options = [
    ...(name === undefined ? [] : [`auth=(${quoted(name)}, ${quoted(password.join(':'))}),`]),
    ...(all.length === 0 ? [] : [`headers=${literal(Object.fromEntries(all))},`]),
    ...bodyLines(body),
  ].map((line) => `    ${indented(line, '    ')}`)
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${quoted(method)},`,
    `    ${isOpen ? 'BASE_URL + ' : ''}${quoted(url)},`,
    ...options,
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const bodyLines = (body: SampleRequest['body']): string[] => {
  switch (body?.kind) {
    case undefined:
      return []
    case 'json':
      return [`json=${literal(body.value)},`]
    case 'form':
      return [`data={${body.fields.map(([name, value]) => `\n    ${quoted(name)}: ${quoted(value)},`).join('')}\n},`]
    case 'multipart':
      return [
        `files={${body.fields.map(([name, value]) => `\n    ${quoted(name)}: (None, ${quoted(value)}),`).join('')}\n},`,
      ]
    case 'text':
      return [`data=${quoted(body.text)}.encode(),`]
    case 'file':
      return ['data=open("file", "rb"),']
  }
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? (value as unknown[]).map(literal)
    : Object.entries(value).map(([name, item]) => `${quoted(name)}: ${literal(item)}`)
  const [open, close] = isList ? '[]' : '{}'
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `    ${indented(item, '    ')},`).join('\n')}\n${close}`
}
