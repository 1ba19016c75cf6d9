import type { SampleRequest } from './request.ts'

/** Quotes text for languages with the escapes of JSON: JavaScript, Python, Go and Java. */
export const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed())
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)

export const indented = (text: string, space: string): string => text.replaceAll('\n', `\n${space}`)

export const isRaw = (text: string, quote: string): boolean =>
  !text.includes(quote) && !text.includes('\\') && !text.includes('\r')

export const formatCurl = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` --request ${method}`} ${isOpen ? '"$BASE_URL"' : ''}${shellWord(url)}`,
    ...(/[{}[\]]/.test(url) ? ['--globoff'] : []),
    ...(user === null ? [] : [`--user ${shellWord(user)}`]),
    ...headers.map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    ...curlBody(body),
  ]
  return lines.join(' \\\n  ')
}

const curlBody = (body: SampleRequest['body']): string[] => {
  if (body === null) return []
  const header = `--header ${shellWord(`Content-Type: ${body.mediaType}`)}`
  switch (body.kind) {
    case 'json':
      return [header, `--data ${shellWord(JSON.stringify(body.value, null, 2))}`]
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`)
    case 'multipart':
      return body.fields.map(([name, value]) => `--form ${shellWord(`${name}=${value}`)}`)
    case 'text':
      return [header, `--data ${shellWord(body.text)}`]
    case 'file':
      return [header, `--data-binary '@file'`]
  }
}

const shellWord = (text: string) => `'${text.replaceAll("'", String.raw`'\''`).replaceAll('\0', '')}'`

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
    ...(body === null ? [] : [`body: ${javaScriptBody(body)},`]),
  ].map((line) => indented(line, '  '))
  const target = `${isOpen ? 'BASE_URL + ' : ''}${quoted(url)}`
  return [
    `const response = await fetch(${target}${options.length === 0 ? ')' : ', {'}`,
    ...(options.length === 0 ? [] : [...options.map((line) => `  ${line}`), '})']),
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const javaScriptBody = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return `JSON.stringify(${JSON.stringify(body.value, null, 2)})`
    case 'form':
      return `new URLSearchParams(${javaScriptPairs(body.fields)})`
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

const javaScriptPairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map((field) => `  [${field.map(quoted).join(', ')}],`).join('\n')}\n]`

export const formatPython = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type = body !== null && (body.kind === 'text' || body.kind === 'file') ? body.mediaType : null
  const all = [...headers, ...(type === null ? [] : [['Content-Type', type] as const])]
  const [name, ...password] = user?.split(':') ?? []
  const options = [
    ...(name === undefined ? [] : [`auth=(${quoted(name)}, ${quoted(password.join(':'))}),`]),
    ...(all.length === 0 ? [] : [`headers=${pythonLiteral(Object.fromEntries(all))},`]),
    ...pythonBody(body),
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

const pythonBody = (body: SampleRequest['body']): string[] => {
  switch (body?.kind) {
    case undefined:
      return []
    case 'json':
      return [`json=${pythonLiteral(body.value)},`]
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

const pythonLiteral = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? (value as unknown[]).map(pythonLiteral)
    : Object.entries(value).map(([name, item]) => `${quoted(name)}: ${pythonLiteral(item)}`)
  const [open, close] = isList ? '[]' : '{}'
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `    ${indented(item, '    ')},`).join('\n')}\n${close}`
}

export const formatGo = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const { reader, packages, type, before } = goBody(body)
  const [name, ...password] = user?.split(':') ?? []
  const lines = [
    ...before,
    `request, err := http.NewRequest(${quoted(method)}, ${isOpen ? 'baseURL+' : ''}${quoted(url)}, ${reader})`,
    ...goCheck,
    ...(name === undefined ? [] : [`request.SetBasicAuth(${quoted(name)}, ${quoted(password.join(':'))})`]),
    ...headers.map(([header, value]) => `request.Header.Set(${quoted(header)}, ${quoted(value)})`),
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

const goBody = (body: SampleRequest['body']): GoBody => {
  const type = body === null ? null : quoted(body.mediaType)
  switch (body?.kind) {
    case undefined:
      return { reader: 'nil', packages: [], type, before: [] }
    case 'json':
      return { reader: goReader(JSON.stringify(body.value, null, 2)), packages: ['strings'], type, before: [] }
    case 'text':
      return { reader: goReader(body.text), packages: ['strings'], type, before: [] }
    case 'form': {
      const sets = body.fields.map(([name, value]) => `form.Set(${quoted(name)}, ${quoted(value)})`)
      const packages = ['net/url', 'strings']
      return { reader: 'strings.NewReader(form.Encode())', packages, type, before: ['form := url.Values{}', ...sets] }
    }
    case 'multipart': {
      const writes = body.fields.map(([name, value]) => `form.WriteField(${quoted(name)}, ${quoted(value)})`)
      const before = ['body := &bytes.Buffer{}', 'form := multipart.NewWriter(body)', ...writes, 'form.Close()']
      return { reader: 'body', packages: ['bytes', 'mime/multipart'], type: 'form.FormDataContentType()', before }
    }
    case 'file':
      return { reader: 'file', packages: ['os'], type, before: ['file, err := os.Open("file")', ...goCheck] }
  }
}

const goReader = (text: string) => `strings.NewReader(${isRaw(text, '`') ? `\`${text}\`` : quoted(text)})`

/** Null for multipart forms, which `java.net.http` does not support. */
export const formatJava = ({ method, isOpen, url, user, headers, body }: SampleRequest): string | null => {
  if (body?.kind === 'multipart') return null
  const type = body === null ? [] : [['Content-Type', body.mediaType] as const]
  const calls = [
    ...(user === null
      ? []
      : [`.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(${quoted(user)}.getBytes()))`]),
    ...[...headers, ...type].map(([name, value]) => `.header(${quoted(name)}, ${quoted(value)})`),
    `.method(${quoted(method)}, HttpRequest.BodyPublishers.${javaPublisher(body)})`,
    '.build();',
  ]
  return [
    'import java.net.URI;',
    'import java.net.http.*;',
    ...(body?.kind === 'file' ? ['import java.nio.file.Path;'] : []),
    ...(user === null ? [] : ['import java.util.Base64;']),
    '',
    `var request = HttpRequest.newBuilder(URI.create(${isOpen ? 'BASE_URL + ' : ''}${quoted(url)}))`,
    ...calls.map((call) => `    ${call}`),
    'var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.statusCode() + " " + response.body());',
  ].join('\n')
}

const javaPublisher = (body: SampleRequest['body']): string => {
  switch (body?.kind) {
    case undefined:
    case 'multipart':
      return 'noBody()'
    case 'json':
      return `ofString(${javaTextBlock(JSON.stringify(body.value, null, 2))})`
    case 'form':
      return `ofString(${quoted(new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value])).toString())})`
    case 'text':
      return `ofString(${javaTextBlock(body.text)})`
    case 'file':
      return 'ofFile(Path.of("file"))'
  }
}

/** Java strips indentation and trailing blanks of text blocks. */
const javaTextBlock = (text: string) =>
  text.includes('\n') && isRaw(text, '"""') && !/[ \t]$/m.test(text)
    ? `"""\n        ${indented(text, '        ')}"""`
    : quoted(text)

export const formatPhp = ({ method, isOpen, url, user, headers, body }: SampleRequest): string => {
  const type =
    body === null || body.kind === 'form' || body.kind === 'multipart'
      ? []
      : [['Content-Type', body.mediaType] as const]
  const all = [...headers, ...type].map(([name, value]) => `        ${phpText(`${name}: ${value}`)},`)
  return [
    '<?php',
    `$request = curl_init(${isOpen ? '$baseUrl . ' : ''}${phpText(url)});`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`]),
    ...(user === null ? [] : [`    CURLOPT_USERPWD => ${phpText(user)},`]),
    ...(all.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...all, '    ],']),
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${phpBody(body)},`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n')
}

const phpBody = (body: NonNullable<SampleRequest['body']>): string => {
  switch (body.kind) {
    case 'json':
      return phpText(JSON.stringify(body.value, null, 2))
    case 'form':
      return `http_build_query(${phpPairs(body.fields)})`
    case 'multipart':
      return phpPairs(body.fields)
    case 'text':
      return phpText(body.text)
    case 'file':
      return "file_get_contents('file')"
  }
}

const phpPairs = (fields: readonly (readonly [string, string])[]) =>
  `[\n${fields.map(([name, value]) => `        ${phpText(name)} => ${phpText(value)},`).join('\n')}\n    ]`

/** Quotes text for PHP in single quotes, in which only the quote and the backslash are special. */
const phpText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
