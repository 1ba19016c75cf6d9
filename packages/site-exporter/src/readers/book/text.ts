import type { Note } from '#markdown/page-notes.ts'

const title = /(?<!\\)\{\{#title[ \t]{1,20}([^{}\n]{1,500})\}\}\n?/g
const playground = /(?<!\\)\{\{#playground[ \t]+([^\s{}]{1,500})([^{}\n]{0,200})\}\}/g

/** Removes `{{#title …}}`, which names a chapter for the title bar of a browser only, and makes `{{#playground file.rs}}` a code block. */
export const readBookText = (body: string, note: Note): string =>
  body
    .replace(title, (_, text: string) => {
      note('left-out', `its title in the title bar: ${text.trim()}`)
      return ''
    })
    .replace(playground, (_, file: string) => `\`\`\`rust\n{{#include ${file}}}\n\`\`\``)
