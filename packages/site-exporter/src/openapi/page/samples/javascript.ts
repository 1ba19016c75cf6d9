import { indented, quoted } from './quoting.ts'
import type { SampleRequest } from './request.ts'

/** Writes a request with `fetch`. */
export const formatJavaScript = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type = body === null || body.kind === 'multipart' || body.kind === 'form' ? null : body.mediaType
  const all = [
    ...(user === null ? [] : [`Authorization: 'Basic ' + btoa(${quoted(user)}),`]),
    ...[...headers, ...(type === null ? [] : [['Content-Type', type] as const])].map(
      ([name, value]) => `${quoted(name)}: ${quoted(value)},`,
    ),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)},`]),
    ...(all.length === 0 ? [] : ['headers: {', ...all.map((line) => `  ${line}`), '},']),
    ...(body === null ? [] : [`body: ${bodyText(body)},`]),
  ].map((line) => indented(line, '  '))
  const target = `${isOpen ? 'BASE_URL + ' : ''}${quoted(url)}`
  return [
    `const response = await fetch(${target}${options.length === 0 ? ')' : ', {'}`,
    ...(options.length === 0 ? [] : [...options.map((line) => `  ${line}`), '})']),
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const bodyText = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${JSON.stringify(body.value, null, 2)})`
    case 'form':
      return `new URLSearchParams(${pairs(body.fields)})`
    case 'multipart':
      return `[${body.fields
        .map((field) => `[${field.map(quoted).join(', ')}]`)
        .join(', ')}].reduce((form, [name, value]) => (form.append(name, value), form), new FormData())`
    case 'text':
      return quoted(body.text)
    case 'file':
      return 'file'
  }
}

const pairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map((field) => `  [${field.map(quoted).join(', ')}],`).join('\n')}\n]`
