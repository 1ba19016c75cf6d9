import type { ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { replaceTexts } from './replace-texts.ts'

const mark = /(\+\+[\w"-]{1,40}(?:\+[\w"-]{1,40}){0,6}\+\+|==(?=\S)[^=\n]{1,300}==|\^\^(?=\S)[^^\n]{1,300}\^\^)/

/** Names of keys that are not their word with a capital letter. */
const keys: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  control: 'Ctrl',
  cmd: 'Cmd',
  command: 'Cmd',
  del: 'Del',
  delete: 'Del',
  esc: 'Esc',
  ins: 'Ins',
  'page-up': 'Page Up',
  'page-down': 'Page Down',
  'arrow-up': '↑',
  'arrow-down': '↓',
  'arrow-left': '←',
  'arrow-right': '→',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  plus: '+',
}

/** Turns `++ctrl+k++` into keys, `==text==` into marked and `^^text^^` into inserted text. */
export const replaceMarks = (tree: Root): void =>
  replaceTexts(tree, (value) => {
    const parts = value.split(mark)
    return parts.length === 1 ? null : parts.flatMap((part, index) => (index % 2 === 0 ? text(part) : toElement(part)))
  })

const text = (value: string): ElementContent[] => (value === '' ? [] : [{ type: 'text', value }])

const toElement = (part: string): ElementContent[] => {
  const inner = part.slice(2, -2)
  if (part.startsWith('==')) return [h('mark', inner)]
  if (part.startsWith('^^')) return [h('ins', inner)]
  return inner.split('+').flatMap((key, index) => [...(index > 0 ? text('+') : []), h('kbd', toKey(key))])
}

const toKey = (key: string) => {
  if (/^".*"$/.test(key)) return key.slice(1, -1)
  const name = key.toLowerCase()
  return Object.hasOwn(keys, name)
    ? keys[name]!
    : name.length === 1
      ? name.toUpperCase()
      : name[0]!.toUpperCase() + name.slice(1)
}
