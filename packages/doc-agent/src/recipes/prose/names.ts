import { visit } from 'unist-util-visit'
import { frontMatterLength, parsePage } from '#recipes/docs/page-tree.ts'

/** Words in lower case that a page uses as names: in code, addresses, front matter keys, tags and attributes, and in the path of its file. */
export const listNames = (page: string, text: string): Set<string> => {
  const names = new Set<string>()
  const add = (source: string) => {
    for (const word of source.match(/[A-Za-z]+/g) ?? []) {
      names.add(word.toLowerCase())
      // Parts of camelCase are names of their own.
      for (const part of word.match(/[A-Z]?[a-z]+/g) ?? []) names.add(part.toLowerCase())
    }
  }
  add(page)
  for (const [, key = ''] of text.slice(0, frontMatterLength(text)).matchAll(/^\s*([\w-]+)\s*:/gm)) add(key)
  const tree = parsePage(text, page)
  if (!tree) return names
  visit(tree, (node) => {
    if (node.type === 'code' || node.type === 'inlineCode') add(node.value)
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') add(node.url)
    else if (node.type === 'html') add((node.value.match(/<[^>]*>/g) ?? []).join(' '))
    else if (node.type.startsWith('mdx') && 'value' in node && typeof node.value === 'string') add(node.value)
  })
  return names
}
