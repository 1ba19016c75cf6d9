import { maxPromptLength } from '@docket/api-types/agent-prompts'
import { AppError } from '#ground/errors/app-error.ts'

// Code in a prompt, such as `{{ $t('title') }}`, is no placeholder.
const placeholder = /\{\{([\p{L}\p{N}_ -]{1,50})\}\}/gu

/** Names of the placeholders in a text, in its order, each once. */
export const findPlaceholders = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name!.trim()).filter((name) => name !== '')),
]

const refuse = (message: string) => new AppError('invalid_request', message, { field: 'values' })

/** Replaces every placeholder once; braces in a value are text. Throws `invalid_request` for a missing or unknown one, and a long result. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string => {
  const names = findPlaceholders(text)
  const given = new Map(Object.entries(values).map(([name, value]) => [name, value.trim()]))
  const missing = names.find((name) => !given.get(name))
  if (missing !== undefined) throw refuse(`Fill in “${missing}”.`)
  const unknown = [...given.keys()].find((name) => !names.includes(name))
  if (unknown !== undefined) throw refuse(`The prompt has no placeholder “${unknown}”. Reload the page.`)
  const filled = text.replaceAll(placeholder, (all, name: string) => given.get(name.trim()) ?? all)
  if (filled.length > maxPromptLength)
    throw refuse(`The prompt is longer than ${maxPromptLength} characters. Shorten it.`)
  return filled
}
