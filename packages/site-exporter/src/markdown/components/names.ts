import { componentNames } from './components.ts'
import { isHtmlElement } from '#markdown/mdx/raw-tags.ts'

const internal = /^(unknown|unknown-inline|slottabs)$/
const names = componentNames.filter((name) => !internal.test(name))
const known = new Set(names)
const packageManagers = /^packagemanagers?(tabs)?$/

/** Component of an element, or null. If HTML has an element of that name, only the capitalised name is a component. */
export const findComponent = (tagName: string): string | null => {
  const name = tagName.toLowerCase()
  if (packageManagers.test(name)) return 'packagemanagers'
  if (name.startsWith('x-') && known.has(name.slice(2))) return name.slice(2)
  return known.has(name) && (!isHtmlElement(name) || isCapitalised(tagName)) ? name : null
}

/** True for `Card` and `Link`, false for `card`, `A` and `TABLE`. */
export const isCapitalised = (tagName: string): boolean => /^[A-Z][a-z]/.test(tagName)

const plain = names.filter((name) => !isHtmlElement(name))
const capitals = names.filter(isHtmlElement).map((name) => name[0]!.toUpperCase() + name.slice(1))
const anyCase = plain.map((name) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
const line = new RegExp(`^[ \\t]*<(?:${[...anyCase, ...capitals].join('|').replaceAll('.', '\\.')})[\\s>/]`, 'm')

export const hasComponentLine = (text: string): boolean => line.test(text)
