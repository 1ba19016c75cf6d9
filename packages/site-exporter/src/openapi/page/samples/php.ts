import type { SampleRequest } from './request.ts'

/** Writes a request with curl for PHP. */
export const formatPhp = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type =
    body === null || body.kind === 'form' || body.kind === 'multipart'
      ? []
      : [['Content-Type', body.mediaType] as const]
  const all = [...headers, ...type].map(([name, value]) => `        ${quoted(`${name}: ${value}`)},`)
  return [
    '<?php',
    `$request = curl_init(${isOpen ? '$baseUrl . ' : ''}${quoted(url)});`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => ${quoted(method)},`]),
    ...(user === null ? [] : [`    CURLOPT_USERPWD => ${quoted(user)},`]),
    ...(all.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...all, '    ],']),
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${bodyText(body)},`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n')
}

const bodyText = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return quoted(JSON.stringify(body.value, null, 2))
    case 'form':
      return `http_build_query(${pairs(body.fields)})`
    case 'multipart':
      return pairs(body.fields)
    case 'text':
      return quoted(body.text)
    case 'file':
      return "file_get_contents('file')"
  }
}

const pairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map(([name, value]) => `        ${quoted(name)} => ${quoted(value)},`).join('\n')}\n    ]`

/** Single quotes, in which only the quote and the backslash have a meaning. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
