import type { SampleRequest } from './request.ts'

/** Quotes text for languages with the escapes of JSON: JavaScript, Python, Go and Java. */
export const quoteText = (text: string): string =>
  JSON.stringify(text.toWellFormed())
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)

export const indentLines = (text: string, space: string): string => text.replaceAll('\n', `\n${space}`)

export const isRaw = (text: string, quote: string): boolean =>
  !text.includes(quote) && !text.includes('\\') && !text.includes('\r')

export const formatCurl = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` --request ${method}`} ${isOpen ? '"$BASE_URL"' : ''}${quoteShellWord(url)}`,
    ...(/[{}[\]]/.test(url) ? ['--globoff'] : []),
    ...(user === null ? [] : [`--user ${quoteShellWord(user)}`]),
    ...headers.map(([name, value]) => `--header ${quoteShellWord(`${name}: ${value}`)}`),
    ...formatCurlBody(body),
  ]
  return lines.join(' \\\n  ')
}

const formatCurlBody = (body: SampleRequest['body']): string[] => {
  if (body === null) return []
  const header = `--header ${quoteShellWord(`Content-Type: ${body.mediaType}`)}`
  switch (body.kind) {
    case 'json':
      return [header, `--data ${quoteShellWord(JSON.stringify(body.value, null, 2))}`]
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${quoteShellWord(`${name}=${value}`)}`)
    case 'multipart':
      return body.fields.map(([name, value]) => `--form ${quoteShellWord(`${name}=${value}`)}`)
    case 'text':
      return [header, `--data ${quoteShellWord(body.text)}`]
    case 'file':
      return [header, `--data-binary '@file'`]
  }
}

const quoteShellWord = (text: string) => `'${text.replaceAll("'", String.raw`'\''`).replaceAll('\0', '')}'`

export const formatJavaScript = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type = body === null || body.kind === 'multipart' || body.kind === 'form' ? null : body.mediaType
  const all = [
    ...(user === null ? [] : [`Authorization: 'Basic ' + btoa(${quoteText(user)}),`]),
    ...[...headers, ...(type === null ? [] : [['Content-Type', type] as const])].map(
      ([name, value]) => `${quoteText(name)}: ${quoteText(value)},`,
    ),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoteText(method)},`]),
    ...(all.length === 0 ? [] : ['headers: {', ...all.map((line) => `  ${line}`), '},']),
    ...(body === null ? [] : [`body: ${formatJavaScriptBody(body)},`]),
  ].map((line) => indentLines(line, '  '))
  const target = `${isOpen ? 'BASE_URL + ' : ''}${quoteText(url)}`
  return [
    `const response = await fetch(${target}${options.length === 0 ? ')' : ', {'}`,
    ...(options.length === 0 ? [] : [...options.map((line) => `  ${line}`), '})']),
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const formatJavaScriptBody = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${JSON.stringify(body.value, null, 2)})`
    case 'form':
      return `new URLSearchParams(${formatJavaScriptPairs(body.fields)})`
    case 'multipart':
      return `[${body.fields
        .map((field) => `[${field.map(quoteText).join(', ')}]`)
        .join(', ')}].reduce((form, [name, value]) => (form.append(name, value), form), new FormData())`
    case 'text':
      return quoteText(body.text)
    case 'file':
      return 'file'
  }
}

const formatJavaScriptPairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map((field) => `  [${field.map(quoteText).join(', ')}],`).join('\n')}\n]`

export const formatPython = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type = body !== null && (body.kind === 'text' || body.kind === 'file') ? body.mediaType : null
  const all = [...headers, ...(type === null ? [] : [['Content-Type', type] as const])]
  const [name, ...password] = user?.split(':') ?? []
  const options = [
    ...(name === undefined ? [] : [`auth=(${quoteText(name)}, ${quoteText(password.join(':'))}),`]),
    ...(all.length === 0 ? [] : [`headers=${formatPythonLiteral(Object.fromEntries(all))},`]),
    ...formatPythonBody(body),
  ].map((line) => `    ${indentLines(line, '    ')}`)
  return [
    'import requests',
    '',
    'response = requests.request(',
    `    ${quoteText(method)},`,
    `    ${isOpen ? 'BASE_URL + ' : ''}${quoteText(url)},`,
    ...options,
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const formatPythonBody = (body: SampleRequest['body']): string[] => {
  switch (body?.kind) {
    case undefined:
      return []
    case 'json':
      return [`json=${formatPythonLiteral(body.value)},`]
    case 'form':
      return [
        `data={${body.fields.map(([name, value]) => `\n    ${quoteText(name)}: ${quoteText(value)},`).join('')}\n},`,
      ]
    case 'multipart':
      return [
        `files={${body.fields.map(([name, value]) => `\n    ${quoteText(name)}: (None, ${quoteText(value)}),`).join('')}\n},`,
      ]
    case 'text':
      return [`data=${quoteText(body.text)}.encode(),`]
    case 'file':
      return ['data=open("file", "rb"),']
  }
}

const formatPythonLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoteText(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? (value as unknown[]).map(formatPythonLiteral)
    : Object.entries(value).map(([name, item]) => `${quoteText(name)}: ${formatPythonLiteral(item)}`)
  const [open, close] = isList ? '[]' : '{}'
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `    ${indentLines(item, '    ')},`).join('\n')}\n${close}`
}

export const formatGo = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const { reader, packages, type, before } = formatGoBody(body)
  const [name, ...password] = user?.split(':') ?? []
  const lines = [
    ...before,
    `request, err := http.NewRequest(${quoteText(method)}, ${isOpen ? 'baseURL+' : ''}${quoteText(url)}, ${reader})`,
    ...goCheck,
    ...(name === undefined ? [] : [`request.SetBasicAuth(${quoteText(name)}, ${quoteText(password.join(':'))})`]),
    ...headers.map(([header, value]) => `request.Header.Set(${quoteText(header)}, ${quoteText(value)})`),
    ...(type === null ? [] : [`request.Header.Set("Content-Type", ${type})`]),
    'response, err := http.DefaultClient.Do(request)',
    ...goCheck,
    'defer response.Body.Close()',
    'text, err := io.ReadAll(response.Body)',
    ...goCheck,
    'fmt.Println(response.Status, string(text))',
  ]
  const imports = ['fmt', 'io', 'net/http', ...packages].toSorted().map((one) => `\t"${one}"`)
  return [
    'package main',
    '',
    'import (',
    ...imports,
    ')',
    '',
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n')
}

const goCheck = ['if err != nil {', '\tpanic(err)', '}']

type GoBody = { reader: string; packages: readonly string[]; type: string | null; before: readonly string[] }

const formatGoBody = (body: SampleRequest['body']): GoBody => {
  const type = body === null ? null : quoteText(body.mediaType)
  switch (body?.kind) {
    case undefined:
      return { reader: 'nil', packages: [], type, before: [] }
    case 'json':
      return { reader: formatGoReader(JSON.stringify(body.value, null, 2)), packages: ['strings'], type, before: [] }
    case 'text':
      return { reader: formatGoReader(body.text), packages: ['strings'], type, before: [] }
    case 'form': {
      const sets = body.fields.map(([name, value]) => `form.Set(${quoteText(name)}, ${quoteText(value)})`)
      const packages = ['net/url', 'strings']
      return { reader: 'strings.NewReader(form.Encode())', packages, type, before: ['form := url.Values{}', ...sets] }
    }
    case 'multipart': {
      const writes = body.fields.map(([name, value]) => `form.WriteField(${quoteText(name)}, ${quoteText(value)})`)
      const before = ['body := &bytes.Buffer{}', 'form := multipart.NewWriter(body)', ...writes, 'form.Close()']
      return { reader: 'body', packages: ['bytes', 'mime/multipart'], type: 'form.FormDataContentType()', before }
    }
    case 'file':
      return { reader: 'file', packages: ['os'], type, before: ['file, err := os.Open("file")', ...goCheck] }
  }
}

const formatGoReader = (text: string) => `strings.NewReader(${isRaw(text, '`') ? `\`${text}\`` : quoteText(text)})`

/** Null for multipart forms, which `java.net.http` does not support. */
export const formatJava = ({ method, isOpen, url, user, headers, body }: SampleRequest): string | null => {
  if (body?.kind === 'multipart') return null
  const type = body === null ? [] : [['Content-Type', body.mediaType] as const]
  const calls = [
    ...(user === null
      ? []
      : [`.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(${quoteText(user)}.getBytes()))`]),
    ...[...headers, ...type].map(([name, value]) => `.header(${quoteText(name)}, ${quoteText(value)})`),
    `.method(${quoteText(method)}, HttpRequest.BodyPublishers.${formatJavaPublisher(body)})`,
    '.build();',
  ]
  return [
    'import java.net.URI;',
    'import java.net.http.*;',
    ...(body?.kind === 'file' ? ['import java.nio.file.Path;'] : []),
    ...(user === null ? [] : ['import java.util.Base64;']),
    '',
    `var request = HttpRequest.newBuilder(URI.create(${isOpen ? 'BASE_URL + ' : ''}${quoteText(url)}))`,
    ...calls.map((call) => `    ${call}`),
    'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ].join('\n')
}

const formatJavaPublisher = (body: SampleRequest['body']): string => {
  switch (body?.kind) {
    case undefined:
    case 'multipart':
      return 'noBody()'
    case 'json':
      return `ofString(${formatJavaTextBlock(JSON.stringify(body.value, null, 2))})`
    case 'form':
      return `ofString(${quoteText(new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString())})`
    case 'text':
      return `ofString(${formatJavaTextBlock(body.text)})`
    case 'file':
      return 'ofFile(Path.of("file"))'
  }
}

/** Java strips indentation and trailing blanks of text blocks. */
const formatJavaTextBlock = (text: string) =>
  text.includes('\n') && isRaw(text, '"""') && !/[ \t]$/m.test(text)
    ? `"""\n        ${indentLines(text, '        ')}"""`
    : quoteText(text)

export const formatPhp = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type =
    body === null || body.kind === 'form' || body.kind === 'multipart'
      ? []
      : [['Content-Type', body.mediaType] as const]
  const all = [...headers, ...type].map(([name, value]) => `        ${quotePhpText(`${name}: ${value}`)},`)
  return [
    '<?php',
    `$request = curl_init(${isOpen ? '$baseUrl . ' : ''}${quotePhpText(url)});`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => ${quotePhpText(method)},`]),
    ...(user === null ? [] : [`    CURLOPT_USERPWD => ${quotePhpText(user)},`]),
    ...(all.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...all, '    ],']),
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${formatPhpBody(body)},`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n')
}

const formatPhpBody = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return quotePhpText(JSON.stringify(body.value, null, 2))
    case 'form':
      return `http_build_query(${formatPhpPairs(body.fields)})`
    case 'multipart':
      return formatPhpPairs(body.fields)
    case 'text':
      return quotePhpText(body.text)
    case 'file':
      return "file_get_contents('file')"
  }
}

const formatPhpPairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map(([name, value]) => `        ${quotePhpText(name)} => ${quotePhpText(value)},`).join('\n')}\n    ]`

/** Quotes text for PHP in single quotes, in which only the quote and the backslash are special. */
const quotePhpText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
