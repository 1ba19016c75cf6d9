import { createRequire } from 'node:module'
import { toLine } from '@docket/sources/text'
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { asList, asText, isData } from '#site/data.ts'
import { createCodeBlock, formatExample, findLanguage, type MediaBody } from '#openapi/page/bodies.ts'
import type { ApiOperation } from '#openapi/reading/api-document.ts'
import { buildRequest, type Call, type SampleRequest } from './request.ts'

const require = createRequire(import.meta.url)

type Plugin = { generate: (request: object) => string }

/** Languages of samples, with the names of their plugins, which are loaded once a page needs them. */
const languages = [
  { title: 'cURL', language: 'bash', plugin: ['shell/curl', 'shellCurl'] },
  { title: 'JavaScript', language: 'js', plugin: ['js/fetch', 'jsFetch'] },
  { title: 'Python', language: 'python', plugin: ['python/requests', 'pythonRequests'] },
  { title: 'Go', language: 'go', plugin: ['go/native', 'goNative'] },
  { title: 'Java', language: 'java', plugin: ['java/nethttp', 'javaNethttp'] },
  { title: 'PHP', language: 'php', plugin: ['php/curl', 'phpCurl'] },
] as const

type Language = (typeof languages)[number]['language']

const formatRequest = (
  { language, plugin: [path, name] }: (typeof languages)[number],
  request: SampleRequest,
): string => {
  const { method, url, headers, body } = request
  const { [name]: plugin } = require(`@scalar/snippetz/plugins/${path}`) as Record<string, Plugin>
  const code = plugin!.generate({ method, url, headers, ...(body && { postData: toPostData(body, language) }) })
  if (language === 'bash') return code.replace(' --request HEAD', ' --head')
  if (language === 'python') return `import requests\n\n${code}`
  // In double quotes, PHP replaces names after a dollar.
  if (language === 'php') return `<?php\n${code.replace(`"${url}"`, () => `'${url}'`)}`
  // Some plugins encode the braces of placeholders.
  return URL.canParse(url) ? code.replace(new URL(url).href, () => url) : code
}

/** Body in the form in which the plugin of a language escapes it. */
const toPostData = (body: NonNullable<SampleRequest['body']>, language: Language): object => {
  const isPhp = language === 'php'
  const asText = (text: string) => ({ mimeType: isPhp ? 'application/octet-stream' : 'text/plain', text })
  switch (body.kind) {
    case 'json':
      return isPhp
        ? asText(JSON.stringify(body.value, null, 2))
        : { mimeType: 'application/json', text: JSON.stringify(body.value) }
    case 'form':
      return isPhp
        ? asText(new URLSearchParams(body.fields.map(({ name, value }) => [name, value])).toString())
        : { mimeType: 'application/x-www-form-urlencoded', params: body.fields }
    case 'multipart': {
      // Python sends fields without a type as a simple form.
      const type = language === 'python' && { contentType: 'text/plain' }
      return { mimeType: 'multipart/form-data', params: body.fields.map((field) => ({ ...field, ...type })) }
    }
    case 'text':
      return asText(body.text)
    case 'file':
      return language === 'bash' ? { mimeType: 'application/octet-stream', text: '@file' } : asText('<file>')
  }
}

const maxSamples = 20
/** Maximum length of a sample. Characters. */
const maxSource = 20_000

export const renderRequestSamples = (operation: ApiOperation, call: Call): ElementContent[] => {
  const own = readOwnSamples(operation)
  const known = new Set(own.map(({ language }) => language))
  const request = buildRequest(operation, call)
  const made = languages
    .filter(({ language }) => !known.has(language))
    .map((entry) => ({ ...entry, code: formatRequest(entry, request) }))
  return renderSampleTabs(
    [...own, ...made].map(({ title, language, code }) => createCodeBlock(code, language, title)),
    'request-language',
  )
}

export const renderResponseSamples = (
  responses: readonly { status: string; bodies: readonly MediaBody[] }[],
): ElementContent[] =>
  renderSampleTabs(
    responses
      .flatMap(({ status, bodies }) =>
        bodies.flatMap(({ mediaType, examples }) =>
          examples.map(({ title, value }) => {
            const name = [status, ...(bodies.length > 1 ? [mediaType] : []), ...(title === null ? [] : [title])]
            return createCodeBlock(formatExample(value), findLanguage(mediaType, value), name.join(' · '))
          }),
        ),
      )
      .slice(0, maxSamples),
    'off',
  )

const readOwnSamples = ({ data }: ApiOperation) =>
  [...asList(data['x-codeSamples']), ...asList(data['x-code-samples'])]
    .filter(isData)
    .slice(0, maxSamples)
    .flatMap((sample) => {
      const code = asText(sample['source'])?.slice(0, maxSource).toWellFormed()
      const name = toLine(sample['lang'], 40) ?? 'Example'
      return code === undefined
        ? []
        : [{ title: toLine(sample['label'], 60) ?? name, language: findLanguageName(name), code }]
    })

const names: Readonly<Record<string, string>> = {
  curl: 'bash',
  shell: 'bash',
  sh: 'bash',
  javascript: 'js',
  node: 'js',
  nodejs: 'js',
  'node.js': 'js',
  typescript: 'ts',
  'c#': 'csharp',
  'c++': 'cpp',
  py: 'python',
  golang: 'go',
}

const findLanguageName = (lang: string) => {
  const name = lang.toLowerCase().split(' ')[0]!
  return Object.hasOwn(names, name) ? names[name]! : name.replace(/[^\w#+.-]/g, '')
}

const renderSampleTabs = (blocks: readonly ElementContent[], sync: string): ElementContent[] =>
  blocks.length > 1 ? [h('div', { className: ['tabs', 'samples'], dataSync: sync }, [...blocks])] : [...blocks]
