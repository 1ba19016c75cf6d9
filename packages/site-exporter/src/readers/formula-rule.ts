import type { SourceFolder } from '@docket/sources/source-folder'
import type { FormulaRule } from '#markdown/formulas/formula-syntax.ts'
import { own } from '#site/data.ts'
import { limits } from '#site/limits.ts'

type Tool = { files: readonly string[]; words: RegExp; rule: FormulaRule }

const inScript = (names: readonly string[]) =>
  names.flatMap((name) => ['ts', 'js', 'mts', 'mjs'].map((ending) => `${name}.${ending}`))

/** Configurations of tools that read formulas only when told to, and the words that tell them. Nothing of them is run. */
const tools: readonly Tool[] = [
  {
    files: inScript(['.vitepress/config', '.vitepress/config/index', 'docs/.vitepress/config']),
    words: /\bmath\s*:\s*(true|\{)/,
    rule: 'dollars',
  },
  {
    files: inScript(['docusaurus.config', 'website/docusaurus.config', 'docs/docusaurus.config']),
    words: /remark-?math/i,
    rule: 'dollars',
  },
  { files: inScript(['astro.config', 'docs/astro.config']), words: /remark-?math/i, rule: 'dollars' },
  { files: ['mkdocs.yml', 'mkdocs.yaml'], words: /arithmatex|mdx_math/, rule: 'tex' },
  { files: ['book.toml'], words: /mathjax-support\s*=\s*true|katex/, rule: 'tex' },
]

/** Rule for formulas, from the configuration of the tool. `docs` is a parsed docs.json, or null. */
export const readFormulaRule = async (folder: Pick<SourceFolder, 'read'>, docs: unknown): Promise<FormulaRule> => {
  if (docs !== null) return own(own(docs, 'styling'), 'latex') === false ? 'none' : 'dollars'
  for (const { files, words, rule } of tools) {
    for (const file of files) {
      const content = await folder.read(file, limits.pageBytes)
      if (content) return words.test(content.toString('utf8')) ? rule : 'none'
    }
  }
  return 'dollars'
}
